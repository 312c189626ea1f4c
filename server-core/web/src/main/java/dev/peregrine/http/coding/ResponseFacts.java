package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The fields of a response's head on which compression depends, and those that it changes. */
final class ResponseFacts {
  private final Response response;
  private final int bytesMin;
  private final Predicate<String> types;

  /** The facts of a response whose content is compressed if it has such a length and type. */
  ResponseFacts(Response response, int bytesMin, Predicate<String> types) {
    this.response = response;
    this.bytesMin = bytesMin;
    this.types = types;
  }

  /** Returns true if content of that length is long enough. */
  boolean isLong(long bytes) {
    return bytes == DeclaredLength.UNKNOWN || bytes >= Math.max(bytesMin, 1);
  }

  /** Declares that the choice of a coding depends on the request, unless Vary does already. */
  void vary() {
    boolean varies =
        response.headers(HeaderName.VARY).stream()
            .map(names -> names.toLowerCase(Locale.ROOT))
            .anyMatch(names -> names.contains("accept-encoding") || names.equals("*"));
    if (!varies) {
      response.addHeader(HeaderName.VARY, HeaderName.ACCEPT_ENCODING);
    }
  }

  /** Makes the entity tag, if there is one, that of other bytes than the handler's. */
  void weaken() {
    String tag = response.header(HeaderName.ETAG);
    if (tag != null && !tag.startsWith("W/")) {
      response.header(HeaderName.ETAG, "W/" + tag);
    }
  }

  /** Sets the fields of content in a coding. */
  void encoded(@Nullable EncoderPool used) {
    response.header(HeaderName.CONTENT_ENCODING, Objects.requireNonNull(used).coding());
    weaken();
  }

  /** Returns true if the head permits compression of the response, or of the whole of its parts. */
  boolean isCompressible() {
    return isPartial()
        ? isPartOfCompressible()
        : hasWholeContent() && isCompressible(response.header(HeaderName.CONTENT_TYPE));
  }

  /** Returns true if content of that type, which isn't sent, might be compressed. */
  boolean isCompressible(@Nullable ContentType unsent) {
    return isCompressible(unsent == null ? null : unsent.toString());
  }

  /** Returns true unless the content that a 304 replaces is known not to be compressible. */
  boolean mayReplace() {
    String type = response.header(HeaderName.CONTENT_TYPE);
    return type == null || isCompressible(type);
  }

  private boolean isCompressible(@Nullable String type) {
    return type != null && !isExcluded() && types.test(mediaType(type));
  }

  private static String mediaType(String type) {
    int parameters = type.indexOf(';');
    String mediaType = parameters < 0 ? type : type.substring(0, parameters);
    return mediaType.strip().toLowerCase(Locale.ROOT);
  }

  boolean isNotModified() {
    return response.status() == HttpStatus.NOT_MODIFIED.code() && !isExcluded();
  }

  /** Returns true if the response has parts of its content (RFC 9110 section 15.3.7). */
  boolean isPartial() {
    return response.status() == HttpStatus.PARTIAL_CONTENT.code();
  }

  /**
   * Returns true if the whole content of a partial response might be compressed. The type of parts
   * that are sent together isn't known here, so they count as compressible.
   */
  private boolean isPartOfCompressible() {
    String type = response.header(HeaderName.CONTENT_TYPE);
    return type != null
        && !isCoded()
        && !isTransformForbidden()
        && (types.test(mediaType(type)) || mediaType(type).equals("multipart/byteranges"));
  }

  /** Returns the length of the whole content of a partial response; UNKNOWN if it isn't named. */
  long wholeLength() {
    String range = response.header(HeaderName.CONTENT_RANGE);
    String length = range == null ? "" : range.substring(range.indexOf('/') + 1);
    return DeclaredLength.parse(length);
  }

  private boolean hasWholeContent() {
    int status = response.status();
    return status != HttpStatus.NO_CONTENT.code()
        && status != HttpStatus.RESET_CONTENT.code()
        && status != HttpStatus.NOT_MODIFIED.code();
  }

  private boolean isExcluded() {
    return response.header(HeaderName.CONTENT_RANGE) != null || isCoded() || isTransformForbidden();
  }

  private boolean isCoded() {
    return response.headers(HeaderName.CONTENT_ENCODING).stream()
        .anyMatch(coding -> !coding.equalsIgnoreCase("identity"));
  }

  private boolean isTransformForbidden() {
    return response.headers(HeaderName.CACHE_CONTROL).stream()
        .anyMatch(directives -> directives.toLowerCase(Locale.ROOT).contains("no-transform"));
  }
}
