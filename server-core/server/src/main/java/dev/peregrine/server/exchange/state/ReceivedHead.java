package dev.peregrine.server.exchange.state;

import dev.peregrine.base.Latin1;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.exchange.text.ListField;
import dev.peregrine.server.memory.InboundBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request: offsets into the loop's memory, or into a copy of the bytes. Checks no
 * caller.
 */
public final class ReceivedHead {
  private static final int DESCRIPTION_MAX = 200;

  private final RequestHead head = new RequestHead();
  private MemorySegment bytes = MemorySegment.NULL;
  private int base;
  private boolean kept;
  private boolean left; // by the loop to the handler's thread, which copies it; by the lock of this
  private byte @Nullable [] copy;
  private @Nullable Attributes attributes; // created when the first attribute is set

  public void begin(MemorySegment headBytes, int from) {
    bytes = headBytes;
    base = from;
    kept = false;
  }

  /** The exchange has ended, and serves another request. */
  void reset() {
    head.reset();
    if (attributes != null) {
      attributes.clear();
    }
  }

  /** Returns the offsets, which the protocol sets before the exchange begins. */
  public RequestHead head() {
    return head;
  }

  // ---- the memory of the head ----

  /**
   * Copies the head, because its memory is about to be reused, and indexes all fields, because
   * other threads may read them from now on.
   */
  public void keep() {
    if (kept) {
      return;
    }
    head.index(bytes, base);
    int length = head.length();
    if (copy == null || copy.length < length) {
      copy = new byte[length];
    }
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base, copy, 0, length);
    bytes = MemorySegment.ofArray(copy);
    base = 0;
    kept = true;
  }

  /**
   * Leaves the head to the thread of a handler that is left, which may read it at this moment: the
   * loop doesn't copy it from here on.
   *
   * @param isShared whether other threads could use it before
   */
  public void leave(boolean isShared) {
    index();
    kept = true;
    left = !isShared;
  }

  /** Copies a head that was left, because other threads may read it; on the handler's thread. */
  public synchronized void keepLeft() {
    if (!left) {
      return;
    }
    // All offsets stay the same, because the loop may read the head at any time.
    int length = head.length();
    byte[] moved = new byte[base + length];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base, moved, base, length);
    MemorySegment heap = MemorySegment.ofArray(moved);
    VarHandle.releaseFence();
    bytes = heap;
    left = false; // last: what throws before, for lack of stack or memory, can be repeated
  }

  /** Forgets the head, which can't be copied for lack of memory. */
  public void drop() {
    head.reset();
    bytes = MemorySegment.NULL;
    base = 0;
    kept = true;
  }

  public boolean isIndexed() {
    return head.isIndexed();
  }

  public void index() {
    head.index(bytes, base);
  }

  // ---- its text ----

  public String string(int from, int to) {
    return Latin1.string(bytes, base + from, base + to);
  }

  /** Copies text, as far as it fits. Returns the number of bytes copied. */
  public int copy(int from, int to, byte[] into, int at) {
    int length = Math.min(to - from, into.length - at);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base + from, into, at, length);
    return length;
  }

  public boolean equals(int from, int to, String text) {
    return Latin1.equals(bytes, base + from, base + to, text);
  }

  /** Returns the memory that {@link #base} and the offsets count in; valid as long as the call. */
  public MemorySegment bytes() {
    return bytes;
  }

  public int base() {
    return base;
  }

  /** Copies the method, as far as it fits. Returns the number of bytes copied. */
  public int copyMethod(byte[] into, int at) {
    return copy(head.methodStart(), head.methodEnd(), into, at);
  }

  /**
   * Copies the authority, as far as it fits. Returns the number of bytes copied; -1 without one.
   */
  public int copyHost(byte[] into, int at) {
    return head.hostStart() < 0 ? -1 : copy(head.hostStart(), head.hostEnd(), into, at);
  }

  /** Copies the target, as far as it fits. Returns the number of bytes copied. */
  public int copyTarget(byte[] into, int at) {
    return copy(head.targetStart(), head.targetEnd(), into, at);
  }

  /**
   * Copies the value of a field, as far as it fits. Returns the number of bytes; -1 if the request
   * has no such field.
   */
  public int copyHeader(KnownHeader name, byte[] into, int at) {
    index();
    int i = head.indexOf(name);
    return i < 0 ? -1 : copy(head.valueStart(i), head.valueEnd(i), into, at);
  }

  public String method() {
    HttpMethod method = head.method();
    return method == HttpMethod.OTHER
        ? string(head.methodStart(), head.methodEnd())
        : method.name();
  }

  public String target() {
    return string(head.targetStart(), head.targetEnd());
  }

  public String path() {
    return isPathImplied() ? impliedPath() : string(head.pathStart(), head.pathEnd());
  }

  public boolean isPathImplied() {
    return head.pathStart() == head.pathEnd();
  }

  /** Returns the path of a target without one (RFC 9112 section 3.2). */
  public String impliedPath() {
    return switch (head.targetForm()) {
      case ORIGIN, ABSOLUTE ->
          head.method() == HttpMethod.OPTIONS && head.queryStart() < 0 ? "*" : "/";
      case ASTERISK, AUTHORITY -> target();
    };
  }

  public boolean pathIs(String path) {
    return isPathImplied()
        ? impliedPath().equals(path)
        : equals(head.pathStart(), head.pathEnd(), path);
  }

  // ---- its fields ----

  /** Returns the name of a field line as sent; in HTTP/2 a constant, if it is a known name. */
  @SuppressWarnings("EnumOrdinal") // the table is in the order of the constants
  public String name(int index) {
    KnownHeader known = head.version() == HttpVersion.HTTP_2 ? head.knownName(index) : null;
    return known == null
        ? string(head.nameStart(index), head.nameEnd(index))
        : LowerCaseNames.ALL[known.ordinal()];
  }

  /** Returns all values of a field, in the order of its lines; once indexed. */
  public List<String> values(String name) {
    List<String> values = new ArrayList<>();
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      values.add(value(i));
    }
    return Collections.unmodifiableList(values);
  }

  /** Returns the index of the first field line with that name, from an index on; -1 if none has. */
  public int indexOf(String name, int from) {
    KnownHeader known = from == 0 && head.isIndexed() ? KnownHeader.of(name) : null;
    if (known != null && known.isRecognisedInRequests()) {
      return head.indexOf(known); // sooner than by comparisons (FieldLookupBenchmark)
    }
    for (int i = from; i < head.fieldCount(); i++) {
      if (Latin1.equalsIgnoreCase(bytes, base + head.nameStart(i), base + head.nameEnd(i), name)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the value of the field line with the given index; once indexed. */
  public String value(int index) {
    return string(head.valueStart(index), head.valueEnd(index));
  }

  /** Returns true if the client accepts trailer fields (RFC 9110 section 10.1.4). */
  public boolean acceptsTrailers() {
    index();
    if (head.version() == HttpVersion.HTTP_2) {
      return head.has(KnownHeader.TE); // which has no other value (RFC 9113 section 8.2.2)
    }
    return head.has(KnownHeader.TE) && ListField.contains(values(HeaderName.TE), "trailers");
  }

  /**
   * Returns true if the client offered to switch to all of those protocols (RFC 9110 section 7.8),
   * or asked for that one by an extended CONNECT (RFC 8441); once indexed.
   */
  public boolean offersUpgradeTo(String protocols) {
    if (isExtendedConnect()) {
      int start = base + head.protocolStart();
      return Latin1.equalsIgnoreCase(bytes, start, base + head.protocolEnd(), protocols);
    }
    return head.isUpgrade() && ListField.containsAll(values(HeaderName.UPGRADE), protocols);
  }

  /** Returns true for CONNECT with a protocol, whose content belongs to that (RFC 8441). */
  public boolean isExtendedConnect() {
    return head.protocolStart() >= 0;
  }

  // ---- attributes, and descriptions ----

  /** Returns the attributes; null if there are none. */
  public @Nullable Attributes attributes() {
    return attributes;
  }

  /** Returns the attributes, of which there may be none. */
  public Attributes createAttributes() {
    Attributes known = attributes;
    if (known == null) {
      known = new Attributes();
      attributes = known;
    }
    return known;
  }

  /** Returns method, path and the attributes that are logged, for logs. */
  public String describe() {
    return string(head.methodStart(), head.methodEnd())
        + " "
        + string(head.pathStart(), head.pathEnd())
        + (attributes == null ? "" : attributes.describe());
  }

  /**
   * Like {@link #describe}, for a thread that reports what the loop is busy with. Reads only memory
   * that can't be released meanwhile; null if the head lies in other memory.
   */
  public @Nullable String describeElsewhere(InboundBuffer in) {
    MemorySegment seen = bytes;
    if (seen.isNative() && !in.isHome(seen)) {
      return null;
    }
    int from = base;
    String method = Latin1.string(seen, from + head.methodStart(), from + head.methodEnd());
    String path = Latin1.string(seen, from + head.pathStart(), from + head.pathEnd());
    String text = method + " " + path;
    return text.length() <= DESCRIPTION_MAX ? text : text.substring(0, DESCRIPTION_MAX) + "...";
  }

  /** The known names as HTTP/2 has them (RFC 9113 section 8.2.1); loaded when one is asked for. */
  private static final class LowerCaseNames {
    static final String[] ALL =
        Arrays.stream(KnownHeader.values())
            .map(name -> name.fieldName().toLowerCase(Locale.ROOT))
            .toArray(String[]::new);
  }
}
