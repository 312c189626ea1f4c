package dev.peregrine.server.exchange.state;

import dev.peregrine.base.Range;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.exchange.text.FieldLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a response's head that a handler has set. Its length and the fields that belong to
 * the connection are not kept as fields: see {@link HttpStream#takeField}.
 */
public final class ResponseHead {
  /** The declared length of a handler that has declared none. */
  public static final long UNDECLARED = -1;

  /**
   * Fields that describe the representation that an error response replaces, how to identify it,
   * and how long it is fresh (RFC 9110 sections 8, 10.2.2 and 14, RFC 9111 section 5, RFC 6266, RFC
   * 9530).
   */
  private static final String[] NOT_IN_ERRORS = {
    HeaderName.CONTENT_TYPE,
    HeaderName.CONTENT_ENCODING,
    HeaderName.CONTENT_LANGUAGE,
    HeaderName.CONTENT_LOCATION,
    HeaderName.CONTENT_RANGE,
    HeaderName.CONTENT_DISPOSITION,
    HeaderName.CONTENT_DIGEST,
    "Repr-Digest",
    HeaderName.ACCEPT_RANGES,
    HeaderName.ETAG,
    HeaderName.LAST_MODIFIED,
    HeaderName.LOCATION,
    "Age",
    HeaderName.EXPIRES,
    HeaderName.TRAILER,
    HeaderName.UPGRADE,
  };

  private static final int INTERIM_MIN = 102;
  private static final int STATUS_MIN = 200;
  private static final int STATUS_MAX = 599;
  private static final int NO_CONTENT = 204;
  private static final int RESET_CONTENT = 205;
  private static final int NOT_MODIFIED = 304;

  private final HttpStream stream;
  private final FieldLines fields;
  private @Nullable FieldLines kept; // a copy from before another thread got access
  private int status = HttpStatus.OK.code();
  private @Nullable ContentType type;
  private long declaredLength = UNDECLARED;
  private boolean framed; // status and length are decided, as the head is about to be sent

  public ResponseHead(HttpStream stream) {
    this(stream, new FieldLines());
  }

  /** Creates the head of a response with those fields, which it changes. */
  public ResponseHead(HttpStream stream, FieldLines fields) {
    this.stream = stream;
    this.fields = fields;
  }

  void reset() {
    status = HttpStatus.OK.code();
    type = null;
    declaredLength = UNDECLARED;
    fields.reset();
    if (kept != null) {
      kept = null; // only then: a reference store costs a write barrier
    }
  }

  public int status() {
    return status;
  }

  public void status(int code) {
    if (code < STATUS_MIN || code > STATUS_MAX) {
      throw new IllegalArgumentException("status " + code + " is not 200 to 599");
    }
    checkNotFramed();
    status = code;
  }

  /** Sets whether status and length are decided. */
  public void framed(boolean decided) {
    framed = decided;
  }

  private void checkNotFramed() {
    if (framed) {
      throw new IllegalStateException("status and length can't be changed before the commit");
    }
  }

  /**
   * Throws for null, for a status that isn't interim, and for 100 and 101, which only the server
   * sends.
   */
  public static void checkInterim(int code, PreparedFields fields) {
    Objects.requireNonNull(fields, "fields");
    if (code < INTERIM_MIN || code >= STATUS_MIN) {
      throw new IllegalArgumentException("interim status " + code + " is not 102 to 199");
    }
  }

  public @Nullable ContentType type() {
    return type;
  }

  public void type(ContentType contentType) {
    if (fields.length() > 0) {
      fields.remove(HeaderName.CONTENT_TYPE);
    }
    type = contentType;
  }

  public void typeUnlessSet(ContentType otherwise) {
    if (type == null && (fields.length() == 0 || !fields.has(HeaderName.CONTENT_TYPE))) {
      type = otherwise;
    }
  }

  /** Returns the content's length in bytes, or {@link #UNDECLARED}. */
  public long declaredLength() {
    return declaredLength;
  }

  public void declaredLength(long bytes) {
    Range.checkAtLeast("contentLength", bytes, 0);
    checkNotFramed();
    declaredLength = bytes;
  }

  /**
   * Returns true if the length isn't known without the content (RFC 9110 section 9.3.2): coded
   * content has one only once it exists, and is never empty.
   */
  public boolean isLengthUnknown() {
    return declaredLength == UNDECLARED && fields.has(HeaderName.CONTENT_ENCODING);
  }

  /** Returns all other fields. */
  public FieldLines fields() {
    return fields;
  }

  /** Returns the values of the fields of that name that were set; see {@link Response#header}. */
  public List<String> values(String name) {
    String value = kept(name);
    if (value == null) {
      return fields.values(name);
    }
    List<String> values = new ArrayList<>(fields.values(name));
    values.addFirst(value);
    return values;
  }

  /** Returns the first of {@link #values}; null if the field is absent. */
  public @Nullable String value(String name) {
    String value = kept(name);
    return value == null ? fields.value(name) : value;
  }

  /** Returns the value of a field that is not kept as a line; null if it wasn't set so. */
  private @Nullable String kept(String name) {
    if (declaredLength != UNDECLARED && name.equalsIgnoreCase(HeaderName.CONTENT_LENGTH)) {
      return Long.toString(declaredLength);
    }
    return type != null && name.equalsIgnoreCase(HeaderName.CONTENT_TYPE) ? type.toString() : null;
  }

  public void set(String name, String value) {
    if (!takeOver(name, value)) {
      fields.set(name, value);
      if (name.equalsIgnoreCase(HeaderName.CONTENT_TYPE)) {
        type = null;
      }
    }
  }

  public void add(String name, String value) {
    if (!takeOver(name, value)) {
      fields.add(name, value);
    }
  }

  public void add(PreparedFields prepared) {
    fields.add(prepared);
  }

  /**
   * Drops the fields of content that won't be sent, and returns the others, for an error response.
   */
  public FieldLines forError() {
    type = null;
    declaredLength = UNDECLARED;
    return forError(fields);
  }

  /** Like {@link #forError}, with the fields that {@link #keepFields} has copied. */
  public FieldLines keptForError() {
    FieldLines known = kept;
    return known == null ? new FieldLines() : forError(known);
  }

  private static FieldLines forError(FieldLines lines) {
    if (lines.length() > 0) {
      for (String name : NOT_IN_ERRORS) {
        lines.remove(name);
      }
      if (lines.has(HeaderName.CACHE_CONTROL)) {
        lines.set(HeaderName.CACHE_CONTROL, "no-store");
      }
    }
    return lines;
  }

  /** Copies the fields, because another thread may change them from now on. */
  public void keepFields() {
    if (fields.length() > 0) {
      kept = fields.copy();
    }
  }

  /** Returns true if a response with the status has no content. */
  public boolean hasNoContent() {
    return status == NO_CONTENT || status == NOT_MODIFIED;
  }

  /**
   * Returns the length that a response without content declares: 304 that of the content in whose
   * place it is sent, if the handler has set it (RFC 9110 section 8.6).
   */
  public long lengthOfReplaced() {
    return status == NOT_MODIFIED && declaredLength != UNDECLARED
        ? declaredLength
        : HttpStream.NO_CONTENT;
  }

  /** Returns true if a response with the status has empty content (RFC 9110 section 15.3.6). */
  public boolean hasEmptyContent() {
    return status == RESET_CONTENT;
  }

  /** Takes over a field that the server sends; other fields are checked when they are kept. */
  private boolean takeOver(String name, String value) {
    if (name.equalsIgnoreCase(HeaderName.CONTENT_LENGTH)) {
      FieldLines.check(name, value);
      declaredLength(parseLength(value));
      return true;
    }
    return stream.takeField(name, value);
  }

  private static long parseLength(String value) {
    try {
      long length = Long.parseLong(value);
      if (length >= 0 && Character.isDigit(value.charAt(0))) {
        return length;
      }
    } catch (NumberFormatException notANumber) {
      // Not a number: reported below.
    }
    throw new IllegalArgumentException("not a Content-Length: " + value);
  }
}
