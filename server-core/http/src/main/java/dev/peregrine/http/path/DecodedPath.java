package dev.peregrine.http.path;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.base.Utf8;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PathSegments;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decoded segments of a request's path, with their hashes and the templates that have matched.
 * Reused with its exchange: reading a path and finding its route allocate nothing.
 */
public final class DecodedPath implements PathSegments {
  private static final int BYTES_INITIAL = 128;
  private static final int SEGMENTS_INITIAL = 8;
  private static final int HASH_FACTOR = 31;

  private final Owner owner;
  private byte[] bytes = new byte[BYTES_INITIAL]; // the segments without separators
  private int[] ends = new int[SEGMENTS_INITIAL];
  private int[] hashes = new int[SEGMENTS_INITIAL];
  private int count;
  private @Nullable PathTemplate[] templates = new PathTemplate[2]; // from the outermost mount on
  private int[] bases = new int[2];
  private int depth;

  /** The request that a path belongs to. */
  public interface Owner {
    /** Throws {@link IllegalStateException} unless the caller may read the request now. */
    void checkReadable();
  }

  /** Creates a path that hasn't been read. */
  public DecodedPath(Owner owner) {
    this.owner = owner;
  }

  /** Returns the implementation of the exported type, the only one. */
  public static DecodedPath of(PathSegments segments) {
    return (DecodedPath) segments;
  }

  /** Returns the {@link #hash} of a segment of these decoded bytes. */
  public static int hash(byte[] segment) {
    int hash = 0;
    for (byte b : segment) {
      hash = HASH_FACTOR * hash + b;
    }
    return hash;
  }

  // ---- for exchanges ----

  /** Forgets the path and the templates. */
  public void clear() {
    count = 0;
    depth = 0;
  }

  /** Returns true if a path was read; it has at least one segment. */
  public boolean isRead() {
    return count > 0;
  }

  /**
   * Splits and decodes a path.
   *
   * @throws HttpException 400 if the path isn't valid
   */
  public void read(MemorySegment source, long from, long to) {
    int length = (int) (to - from);
    if (bytes.length < length) {
      bytes = new byte[Math.max(length, 2 * bytes.length)];
    }
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, bytes, 0, length);
    clear();
    try {
      decode(length);
    } catch (HttpException invalid) {
      clear();
      throw invalid;
    }
  }

  /** Decodes in place, because decoded text is never longer. */
  private void decode(int length) {
    if (length == 0 || bytes[0] != '/') {
      throw invalid("the target has no path");
    }
    int to = 0;
    int start = 0;
    int hash = 0;
    boolean ascii = true; // without NUL
    for (int from = 1; from < length; from++) {
      byte b = bytes[from];
      if (b == '/') {
        if (to == start) {
          throw invalid("the path has an empty segment");
        }
        endSegment(start, to, hash, ascii);
        start = to;
        hash = 0;
        ascii = true;
        continue;
      }
      if (b == '%') {
        b = (byte) octetAt(from, length);
        from += 2;
      }
      bytes[to++] = b;
      hash = HASH_FACTOR * hash + b;
      ascii &= b > 0;
    }
    endSegment(start, to, hash, ascii);
  }

  private int octetAt(int percent, int length) {
    int octet = PercentCoding.decodeAt(bytes, percent, length);
    if (octet == PercentCoding.MALFORMED) {
      throw invalid("a percent sign lacks its two hexadecimal digits");
    }
    return octet;
  }

  private void endSegment(int start, int to, int hash, boolean ascii) {
    boolean dots = to > start && to - start <= 2 && bytes[start] == '.' && bytes[to - 1] == '.';
    if (dots) {
      throw invalid("the path has a dot segment");
    }
    if (!ascii && !Utf8.isText(bytes, start, to)) {
      throw invalid("the path is not UTF-8, or has a NUL");
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    ends[count] = to;
    hashes[count] = hash;
    count++;
  }

  private static HttpException invalid(String what) {
    return new HttpException(HttpStatus.BAD_REQUEST.code(), what);
  }

  // ---- for routers ----

  @Override
  public int count() {
    checkRead();
    return count;
  }

  @Override
  public String segment(int index) {
    int start = start(index);
    return new String(bytes, start, ends[index] - start, StandardCharsets.UTF_8);
  }

  /** Returns the length of a segment in bytes. */
  public int length(int index) {
    return ends[index] - start(index);
  }

  /** Returns true if a segment equals these decoded bytes. */
  public boolean is(int index, byte[] segment) {
    return Arrays.equals(bytes, start(index), ends[index], segment, 0, segment.length);
  }

  /** Returns the hash of a segment. */
  public int hash(int index) {
    return hashes[Objects.checkIndex(index, count)];
  }

  private int start(int index) {
    checkRead();
    return Objects.checkIndex(index, count) == 0 ? 0 : ends[index - 1];
  }

  private void checkRead() {
    owner.checkReadable();
    if (count == 0) {
      throw new IllegalStateException("the exchange has ended");
    }
  }

  @Override
  public String tail(int from) {
    checkRead();
    if (from == count) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (int i = from; i < count; i++) {
      String segment = segment(i);
      if (segment.indexOf('/') >= 0) {
        throw invalid("the path has an encoded slash");
      }
      text.append(i > from ? "/" : "").append(segment);
    }
    return text.toString();
  }

  /**
   * Returns the index of the first segment that no route has matched: mounted routes begin there.
   */
  public int base() {
    return depth == 0 ? 0 : bases[depth - 1] + template(depth - 1).fixedLength();
  }

  /**
   * Returns the number of segments before the {@code *} of the innermost template; 0 if it has
   * none, or if no template was bound.
   */
  public int routed() {
    if (depth == 0) {
      return 0;
    }
    PathTemplate innermost = template(depth - 1);
    return bases[depth - 1] + (innermost.hasTail() ? innermost.fixedLength() : 0);
  }

  /**
   * Returns the templates that were bound, as one; null if none was. Another thread may bind
   * templates at the same time.
   */
  public @Nullable String routeTemplate() {
    @Nullable PathTemplate[] bound = templates;
    int count = Math.min(depth, bound.length);
    String text = null;
    for (int i = 0; i < count; i++) {
      PathTemplate template = bound[i];
      if (template != null) {
        text = text == null ? template.toString() : template.within(text);
      }
    }
    return text;
  }

  /** Makes the parameters of a template available that matches from {@link #base} on. */
  public void bind(PathTemplate template) {
    if (depth == bases.length) {
      templates = Arrays.copyOf(templates, 2 * depth);
      bases = Arrays.copyOf(bases, 2 * depth);
    }
    bases[depth] = base();
    templates[depth] = template;
    depth++;
  }

  @Override
  public String parameter(String name) {
    checkRead();
    for (int i = depth - 1; i >= 0; i--) {
      PathTemplate template = template(i);
      int at = template.indexOf(name);
      if (at >= 0) {
        return template.isTail(at) ? tail(bases[i] + at) : segment(bases[i] + at);
      }
    }
    throw new IllegalArgumentException("no route of this request has a parameter " + name);
  }

  private PathTemplate template(int index) {
    return Objects.requireNonNull(templates[index]);
  }
}
