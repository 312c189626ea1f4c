package dev.peregrine.http.filter;

import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a request belongs to (W3C Trace Context, level 2, section 3.2).
 *
 * <pre>{@code
 * Traceparent caller = Traceparent.of(request);
 * }</pre>
 *
 * <p>It is a claim of the client: a server on the internet shouldn't let a client decide what is
 * recorded.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all zero
 * @param parentId the caller's span: 16 hexadecimal digits in lower case, not all zero
 * @param isSampled true if the caller may have recorded the trace
 * @param isRandom true if at least the last 14 digits of the trace id are random
 */
public record Traceparent(String traceId, String parentId, boolean isSampled, boolean isRandom) {
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_END = 35;
  private static final int PARENT_ID_START = 36;
  private static final int PARENT_ID_END = 52;
  private static final int FLAGS_START = 53;
  private static final int LENGTH = 55; // of version 00; later versions may append to it
  private static final int SAMPLED = 1;
  private static final int RANDOM = 2;

  /**
   * Checks the ids.
   *
   * @throws IllegalArgumentException if one isn't valid
   */
  public Traceparent {
    checkId("traceId", traceId, TRACE_ID_END - TRACE_ID_START);
    checkId("parentId", parentId, PARENT_ID_END - PARENT_ID_START);
  }

  private static void checkId(String name, String id, int digits) {
    if (id.length() != digits || !isId(id, 0, digits)) {
      throw new IllegalArgumentException(
          name + " is not " + digits + " hexadecimal digits in lower case, or is zero");
    }
  }

  /** Returns the trace of a request; null if it has no field, an invalid one, or more than one. */
  public static @Nullable Traceparent of(Request request) {
    if (!request.hasHeader(KnownHeader.TRACEPARENT)) {
      return null;
    }
    List<String> values = request.headers(HeaderName.TRACEPARENT);
    return values.size() == 1 ? parse(values.getFirst()) : null;
  }

  /**
   * Reads the value of a {@code traceparent} field. Of a later version than 00, the part that 00
   * has is read.
   *
   * @return null if it isn't valid: another length, digits in upper case, version ff, or an id that
   *     is all zero
   */
  public static @Nullable Traceparent parse(String value) {
    if (!hasForm(value)
        || !isId(value, TRACE_ID_START, TRACE_ID_END)
        || !isId(value, PARENT_ID_START, PARENT_ID_END)) {
      return null;
    }
    int flags = Integer.parseInt(value, FLAGS_START, LENGTH, 16);
    return new Traceparent(
        value.substring(TRACE_ID_START, TRACE_ID_END),
        value.substring(PARENT_ID_START, PARENT_ID_END),
        (flags & SAMPLED) != 0,
        (flags & RANDOM) != 0);
  }

  private static boolean hasForm(String value) {
    if (value.length() < LENGTH || !isHex(value, 0, 2) || value.startsWith("ff")) {
      return false;
    }
    boolean ends =
        value.length() == LENGTH || (!value.startsWith("00") && value.charAt(LENGTH) == '-');
    return ends
        && value.charAt(TRACE_ID_START - 1) == '-'
        && value.charAt(TRACE_ID_END) == '-'
        && value.charAt(PARENT_ID_END) == '-'
        && isHex(value, FLAGS_START, LENGTH);
  }

  private static boolean isId(String text, int from, int to) {
    boolean zero = true;
    for (int i = from; i < to; i++) {
      zero &= text.charAt(i) == '0';
    }
    return !zero && isHex(text, from, to);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Returns the value of the field, of version 00. */
  @Override
  public String toString() {
    int flags = (isSampled ? SAMPLED : 0) | (isRandom ? RANDOM : 0);
    return "00-" + traceId + "-" + parentId + "-0" + flags;
  }
}
