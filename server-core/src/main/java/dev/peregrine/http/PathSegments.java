package dev.peregrine.http;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request in decoded segments, for whoever finds handlers by it: {@code /a%20b/c/} is
 * {@code "a b"}, {@code "c"} and {@code ""}. This is the one meaning that paths have here:
 *
 * <ul>
 *   <li>Only a slash as sent separates. {@code %2F} is a slash within its segment.
 *   <li>Every other octet and its percent-encoding are the same: {@code /%61} is {@code /a}.
 *   <li>A slash at the end makes a last segment that is empty: {@code /a/} is not {@code /a}.
 *   <li>Semicolons, and letters of either case, are data as any other (RFC 3986 section 3.3).
 *   <li>Refused with 400, so that nobody else can read them in another way: an empty segment
 *       elsewhere ({@code //}), a segment {@code .} or {@code ..} however it is encoded, NUL, a
 *       percent sign without two hexadecimal digits, and what isn't UTF-8 when decoded.
 * </ul>
 *
 * <p>It belongs to the exchange like the request, and isn't to be used after its end.
 */
public final class PathSegments {
  private static final int BYTES_INITIAL = 128;
  private static final int SEGMENTS_INITIAL = 8;
  private static final int HASH_FACTOR = 31;

  private byte[] bytes = new byte[BYTES_INITIAL]; // the segments, one right behind the other
  private int[] ends = new int[SEGMENTS_INITIAL];
  private int[] hashes = new int[SEGMENTS_INITIAL];
  private int count;
  private @Nullable PathTemplate[] templates = new PathTemplate[2]; // from the outermost mount on
  private int[] bases = new int[2];
  private int depth;

  /** No segments, until {@link #read}. */
  public PathSegments() {}

  /** A hash of decoded bytes that {@link #hash} gives for a segment that equals them. */
  public static int hash(byte[] segment) {
    int hash = 0;
    for (byte b : segment) {
      hash = HASH_FACTOR * hash + b;
    }
    return hash;
  }

  // ---- for servers ----

  /** Forgets the path and what was found in it. */
  public void clear() {
    count = 0;
    depth = 0;
  }

  /** Whether there is a path, which has one segment at least. */
  public boolean isRead() {
    return count > 0;
  }

  /**
   * Takes a path apart.
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

  /** Decodes in place: what is decoded is never longer. */
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
        b = (byte) PercentCoding.decodeAt(bytes, from, length);
        from += 2;
      }
      bytes[to++] = b;
      hash = HASH_FACTOR * hash + b;
      ascii &= b > 0;
    }
    endSegment(start, to, hash, ascii);
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

  /** Number of segments. */
  public int count() {
    checkRead();
    return count;
  }

  /**
   * A segment as text; may have any character but NUL, also slashes.
   *
   * @param index 0 to {@link #count} - 1
   */
  public String segment(int index) {
    int start = start(index);
    return new String(bytes, start, ends[index] - start, StandardCharsets.UTF_8);
  }

  /** Length of a segment in bytes. */
  public int length(int index) {
    return ends[index] - start(index);
  }

  /** Whether a segment is those decoded bytes. */
  public boolean is(int index, byte[] segment) {
    return Arrays.equals(bytes, start(index), ends[index], segment, 0, segment.length);
  }

  /** The hash of a segment. */
  public int hash(int index) {
    return hashes[Objects.checkIndex(index, count)];
  }

  private int start(int index) {
    checkRead();
    return Objects.checkIndex(index, count) == 0 ? 0 : ends[index - 1];
  }

  private void checkRead() {
    if (count == 0) {
      throw new IllegalStateException("the exchange has ended");
    }
  }

  /**
   * The segments from an index on as text, with slashes between them.
   *
   * @throws HttpException 400 if a slash within a segment would look like one of those
   */
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

  /** The first segment that no route has matched: where a router begins that others lead to. */
  public int base() {
    return depth == 0 ? 0 : bases[depth - 1] + template(depth - 1).fixedLength();
  }

  /**
   * Number of segments before the {@code *} of the innermost template that has one; 0 if none has,
   * also when no path was read.
   */
  public int routed() {
    if (depth == 0) {
      return 0;
    }
    PathTemplate innermost = template(depth - 1);
    return bases[depth - 1] + (innermost.hasTail() ? innermost.fixedLength() : 0);
  }

  /** A template matches from {@link #base} on: its parameters are there now. */
  public void bind(PathTemplate template) {
    if (depth == bases.length) {
      templates = Arrays.copyOf(templates, 2 * depth);
      bases = Arrays.copyOf(bases, 2 * depth);
    }
    bases[depth] = base();
    templates[depth] = template;
    depth++;
  }

  /**
   * The value of a parameter of the templates that were bound, the innermost first.
   *
   * @throws IllegalArgumentException if none of them has it
   * @throws HttpException 400 as {@link #tail} says
   */
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
