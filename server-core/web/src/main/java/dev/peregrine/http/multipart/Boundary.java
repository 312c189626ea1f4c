package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.multipart.ParameterizedValue.Quoting;
import dev.peregrine.parser.multipart.Delimiter;
import dev.peregrine.protocol.HeaderName;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The boundary in the content type of a request (RFC 2046 section 5.1.1). */
final class Boundary {
  private static final String TYPE = "multipart/form-data";

  private Boundary() {}

  /**
   * Returns the delimiter of the request's content.
   *
   * @throws HttpException 415 if the content isn't {@code multipart/form-data}, 400 if its boundary
   *     is missing or malformed
   */
  static Delimiter delimiterOf(Request request) {
    List<String> types = request.headers(HeaderName.CONTENT_TYPE);
    if (types.size() > 1) {
      throw MultipartFault.malformed("two Content-Type fields");
    }
    String type = types.isEmpty() ? "" : types.getFirst();
    if (!isMultipart(type)) {
      throw MultipartFault.unsupported("the content must be " + TYPE);
    }
    byte[] bytes = type.getBytes(StandardCharsets.ISO_8859_1);
    ParameterizedValue value = ParameterizedValue.parse(bytes, 0, bytes.length, Quoting.HTTP);
    String boundary = value == null ? null : value.parameters().get("boundary");
    if (boundary == null) {
      throw MultipartFault.malformed("the Content-Type has no valid boundary");
    }
    if (boundary.length() > Delimiter.BOUNDARY_BYTES_MAX) {
      throw MultipartFault.malformed(
          "a boundary of more than " + Delimiter.BOUNDARY_BYTES_MAX + " bytes");
    }
    if (!Delimiter.isBoundary(boundary)) {
      throw MultipartFault.malformed("a boundary with other characters than RFC 2046 allows");
    }
    return new Delimiter(boundary);
  }

  private static boolean isMultipart(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().equalsIgnoreCase(TYPE);
  }
}
