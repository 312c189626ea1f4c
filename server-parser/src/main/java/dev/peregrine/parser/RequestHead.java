package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.value.FramingFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link RequestParser} for one request head, and its progress in a head that
 * arrives in pieces; or the result of a {@link Http2HeadReader}. Holds offsets, counted from the
 * {@code from} of the parse, and no bytes. Reusable without allocation; belongs to one connection
 * or one thread at a time.
 *
 * <p>All methods except {@link #isPartial}, {@link #method}, {@link #rejection} and {@link
 * #rejectedAt} are valid only after a parse that returned the head's length, until the next parse.
 */
public final class RequestHead {
  /** The offset of a part that the head does not have. */
  static final int NONE = -1;

  /** Nothing was parsed yet, or the last head is complete. */
  static final int FRESH = 0;

  static final int COMPLETE = 1;
  static final int REJECTED = 2;

  /** States from here on are those of a head that is partly parsed. */
  static final int EMPTY_LINES = 3;

  static final int EMPTY_LINE_FEED = 4;
  static final int METHOD = 5;
  static final int TARGET = 6;
  static final int VERSION = 7;
  static final int FIELDS = 8;

  /** The version code of HTTP/2; that of HTTP/1 is the minor version. */
  static final int HTTP_2 = 2;

  private static final HttpVersion[] VERSIONS = HttpVersion.values();
  private static final TargetForm[] TARGET_FORMS = TargetForm.values();

  final FieldSection fields = new FieldSection();
  final FramingFields framing = new FramingFields();

  // States and codes are ints: a reference store into a tenured object costs a GC write barrier.

  int state = FRESH;

  /** The offset up to which the request line was scanned. */
  int at;

  int emptyLines;
  int methodCode = Methods.OTHER;
  int methodStart;
  int methodEnd;
  int targetFormCode;
  int targetStart;
  int targetEnd;
  int pathStart;
  int pathEnd;
  int queryStart;
  int hostStart;
  int hostEnd;

  /** The place of the version among the constants of {@link HttpVersion}. */
  int versionCode;

  /** The pseudo-header fields of HTTP/2 whose values are nowhere else; set for HTTP/2 only. */
  int schemeStart;

  int schemeEnd;
  int protocolStart;
  int protocolEnd;

  long contentLength;
  boolean chunked;
  boolean keepAlive;
  boolean expectsContinue;
  boolean upgrade;
  int length;
  @Nullable Rejection rejection;
  int rejectedAt;

  /** Creates a head. It grows to the largest number of field lines that it parses. */
  public RequestHead() {}

  /** Clears all results, so that the next parse starts a new head. */
  public void reset() {
    state = FRESH;
    rejection = null;
  }

  /** Returns true if a parse needs more bytes and a head is partly scanned. */
  public boolean isPartial() {
    return state >= EMPTY_LINES;
  }

  /** Returns the method, or {@link HttpMethod#OTHER}, which it is until it is known. */
  public HttpMethod method() {
    return Methods.method(methodCode);
  }

  public int methodStart() {
    return methodStart;
  }

  public int methodEnd() {
    return methodEnd;
  }

  public TargetForm targetForm() {
    return TARGET_FORMS[targetFormCode];
  }

  /** Returns true if the target has the absolute form: a scheme and an authority. */
  public boolean isAbsolute() {
    return targetFormCode == TargetRules.ABSOLUTE;
  }

  /**
   * Returns the offset where the scheme starts that the request names; -1 if it names none. In
   * HTTP/1 only a target in absolute form has a scheme, in HTTP/2 all requests except CONNECT. Any
   * scheme is accepted: which schemes are served is not a question of syntax.
   */
  public int schemeStart() {
    if (versionCode == HTTP_2) {
      return schemeStart;
    }
    return isAbsolute() ? targetStart : NONE;
  }

  /** Returns the offset where the scheme ends; -1 if the request names none. */
  public int schemeEnd() {
    if (versionCode == HTTP_2) {
      return schemeEnd;
    }
    return isAbsolute() ? hostStart - TargetRules.SCHEME_END_LENGTH : NONE;
  }

  public int targetStart() {
    return targetStart;
  }

  public int targetEnd() {
    return targetEnd;
  }

  /**
   * Returns the offset where the path starts, with its slash. It is empty in the authority and
   * asterisk forms, and in an absolute form without a path, where it means "/" (or "*" for
   * OPTIONS).
   */
  public int pathStart() {
    return pathStart;
  }

  public int pathEnd() {
    return pathEnd;
  }

  /**
   * Returns the offset where the query starts, after its question mark; -1 without a question mark.
   */
  public int queryStart() {
    return queryStart;
  }

  /** Returns the offset where the query ends; -1 without a question mark. */
  public int queryEnd() {
    return queryStart == NONE ? NONE : targetEnd;
  }

  public HttpVersion version() {
    return VERSIONS[versionCode];
  }

  /** Returns the number of field lines. */
  public int fieldCount() {
    return fields.lines().count();
  }

  public int nameStart(int field) {
    return lines().nameStart(field);
  }

  public int nameEnd(int field) {
    return lines().nameEnd(field);
  }

  /**
   * Recognises all names and locates all values. A parse doesn't do so, because many requests are
   * answered without them. Must be called before the methods marked "once indexed". Further calls
   * cost nothing.
   *
   * @param bytes the head's bytes, which may have moved
   * @param from where the head starts
   */
  public void index(MemorySegment bytes, int from) {
    FieldLines lines = lines();
    if (lines.isIndexed()) {
      return;
    }
    if (!Memory.isInAll(bytes)) {
      lines.index(RequestNames.TABLE, bytes, from);
      return;
    }
    Objects.checkFromIndexSize(from, length, bytes.byteSize());
    // checked, because the later loads are not
    bytes.get(ValueLayout.JAVA_BYTE, from);
    try {
      lines.index(RequestNames.TABLE, Memory.ALL, bytes.address() + from);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  /** Returns true once {@link #index} has been called for this head. */
  public boolean isIndexed() {
    return lines().isIndexed();
  }

  /** Returns the offset where the value starts, without the whitespace before it; once indexed. */
  public int valueStart(int field) {
    return indexedLines().valueStart(field);
  }

  /**
   * Returns the offset where the value ends, without the whitespace after it; the start if the
   * value is empty. Once indexed.
   */
  public int valueEnd(int field) {
    return indexedLines().valueEnd(field);
  }

  /** Returns the field's name if it is a known one; once indexed. */
  public @Nullable KnownHeader knownName(int field) {
    return RequestNames.header(indexedLines().nameId(field));
  }

  /**
   * Returns true if at least one field has this name; never for names that only responses have.
   * Once indexed.
   */
  public boolean has(KnownHeader name) {
    return (indexedLines().present() & RequestNames.bit(name)) != 0;
  }

  /** Returns the first field with this name, or -1; once indexed. */
  public int indexOf(KnownHeader name) {
    return has(name) ? lines().firstLine(RequestNames.id(name)) : NONE;
  }

  /** Returns the value of Content-Length in bytes, or -1 without one. */
  public long contentLength() {
    return contentLength;
  }

  /** Returns true if the body has the chunked transfer coding; then the content length is -1. */
  public boolean isChunked() {
    return chunked;
  }

  /**
   * Returns true if the connection persists after this request and its response (RFC 9112 section
   * 9.3).
   */
  public boolean isKeepAlive() {
    return keepAlive;
  }

  /**
   * Returns true if the client waits for 100 (Continue) before it sends the body (RFC 9110 10.1.1).
   */
  public boolean expectsContinue() {
    return expectsContinue;
  }

  /**
   * Returns true if the client offers another protocol: on this connection (RFC 9110 section 7.8),
   * or in HTTP/2 on this stream, by an extended CONNECT (RFC 8441).
   */
  public boolean isUpgrade() {
    return upgrade;
  }

  /**
   * Returns the offset where the protocol starts that an extended CONNECT offers; -1 for any other
   * request.
   */
  public int protocolStart() {
    return versionCode == HTTP_2 ? protocolStart : NONE;
  }

  /** Returns the offset where the protocol of an extended CONNECT ends; -1 without one. */
  public int protocolEnd() {
    return versionCode == HTTP_2 ? protocolEnd : NONE;
  }

  /**
   * Returns the bytes of the whole head: with leading empty lines and the final CRLF, or of all
   * decoded fields.
   */
  public int length() {
    return length;
  }

  /**
   * Returns the offset where the authority of the request starts, port included: that of the target
   * in absolute and authority form (RFC 9112 section 3.2.2), or {@code :authority} in HTTP/2;
   * otherwise the value of Host, which can be empty; -1 if the head has neither.
   */
  public int hostStart() {
    return hostStart;
  }

  public int hostEnd() {
    return hostEnd;
  }

  /** Returns the reason why the head was rejected, or null. */
  public @Nullable Rejection rejection() {
    return rejection;
  }

  /**
   * Returns the offset of the byte that {@link #rejection} is about: the last one if a part is
   * missing.
   */
  public int rejectedAt() {
    return rejectedAt;
  }

  FieldLines lines() {
    FieldLines lines = fields.lines();
    lines.ensureMarked();
    return lines;
  }

  private FieldLines indexedLines() {
    FieldLines lines = lines();
    if (!lines.isIndexed()) {
      throw new IllegalStateException("call index(bytes, from) first");
    }
    return lines;
  }

  /** Starts a new head. */
  void begin() {
    state = EMPTY_LINES;
    at = 0;
    emptyLines = 0;
    methodCode = Methods.OTHER;
    if (rejection != null) {
      rejection = null;
    }
  }

  /** Completes the head with its length, which it returns. */
  int complete(int bytes) {
    length = bytes;
    state = COMPLETE;
    return bytes;
  }

  /** Sets a request line at the head's start with a path, and the query that was set before. */
  void setRequestLine(int method, int start, int end, int version) {
    int query = queryStart;
    methodCode = method;
    methodStart = 0;
    methodEnd = start - 1;
    versionCode = version;
    setPath(start, end);
    if (query != NONE) {
      setQuery(query - 1);
    }
  }

  /** Sets a target that is a path. */
  void setPath(int start, int end) {
    targetFormCode = TargetRules.ORIGIN;
    targetStart = start;
    targetEnd = end;
    pathStart = start;
    pathEnd = end;
    queryStart = NONE;
    hostStart = NONE;
    hostEnd = NONE;
  }

  /** Ends the path at a question mark, which a query follows. */
  void setQuery(int questionMark) {
    pathEnd = questionMark;
    queryStart = questionMark + 1;
  }

  /** Rejects the head for the byte at an offset, and returns false, as its callers do. */
  boolean reject(Rejection why, int offset) {
    rejection = why;
    rejectedAt = offset;
    state = REJECTED;
    return false;
  }
}
