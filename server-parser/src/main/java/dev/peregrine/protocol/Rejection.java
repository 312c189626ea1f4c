package dev.peregrine.protocol;

/**
 * Reasons for the rejection of a request: a closed set with the status of the response, a text
 * without bytes of the peer, and the section of the RFC that requires the rejection.
 */
public enum Rejection {
  TOO_MANY_EMPTY_LINES(400, "too many empty lines before the request", "RFC 9112 2.2"),
  REQUEST_LINE_MALFORMED(400, "request line is not 'method target version'", "RFC 9112 3"),
  REQUEST_LINE_TOO_LONG(414, "request line is too long", "RFC 9112 3"),
  METHOD_INVALID(400, "method is not a token", "RFC 9110 9.1"),
  METHOD_TOO_LONG(501, "method is too long", "RFC 9112 3"),
  TARGET_CHARACTER_INVALID(400, "request target holds an illegal character", "RFC 9112 3.2"),
  TARGET_ENCODING_INVALID(400, "percent sign without two hexadecimal digits", "RFC 3986 2.1"),
  TARGET_FORM_INVALID(400, "request target has no form that its method allows", "RFC 9112 3.2"),
  TARGET_AUTHORITY_INVALID(400, "request target has an invalid authority", "RFC 9110 4.2.1"),
  TARGET_USERINFO(400, "request target holds user information", "RFC 9110 4.2.4"),
  TARGET_MISDIRECTED(421, "https target on a connection without TLS", "RFC 9110 7.4"),
  VERSION_MALFORMED(400, "malformed HTTP version", "RFC 9112 2.3"),
  VERSION_NOT_SUPPORTED(505, "HTTP version is not supported", "RFC 9110 15.6.6"),
  BARE_CARRIAGE_RETURN(400, "carriage return without line feed", "RFC 9112 2.2"),
  BARE_LINE_FEED(400, "line feed without carriage return", "RFC 9112 2.2"),
  FIELD_NAME_EMPTY(400, "field line without a name", "RFC 9110 5.1"),
  FIELD_NAME_INVALID(400, "field name is not a token", "RFC 9110 5.1"),
  FIELD_NAME_UPPER_CASE(400, "field name holds an upper-case letter", "RFC 9113 8.2.1"),
  FIELD_COLON_MISSING(400, "field line without a colon", "RFC 9112 5"),
  FIELD_SPACE_BEFORE_COLON(400, "whitespace between field name and colon", "RFC 9112 5.1"),
  FIELD_SPACE_BEFORE_FIRST(400, "whitespace before the first field line", "RFC 9112 2.2"),
  FIELD_LINE_FOLDED(400, "field line is folded", "RFC 9112 5.2"),
  FIELD_VALUE_INVALID(400, "field value holds a control character", "RFC 9110 5.5"),
  FIELD_VALUE_SPACE_AROUND(400, "field value begins or ends with whitespace", "RFC 9113 8.2.1"),
  HEADER_SECTION_TOO_LARGE(431, "header section is too large", "RFC 6585 5"),
  TOO_MANY_FIELDS(431, "too many field lines", "RFC 6585 5"),
  HOST_MISSING(400, "Host is missing", "RFC 9112 3.2"),
  HOST_REPEATED(400, "more than one Host", "RFC 9112 3.2"),
  HOST_INVALID(400, "invalid Host", "RFC 9112 3.2"),
  HOST_MISDIRECTED(421, "the rules for client certificates differ for this Host", "RFC 9110 7.4"),
  HOST_CONFLICTING(400, "Host differs from :authority", "RFC 9113 8.3.1"),
  PSEUDO_FIELD_UNKNOWN(400, "unknown pseudo-header field", "RFC 9113 8.3"),
  PSEUDO_FIELD_REPEATED(400, "more than one pseudo-header field of a name", "RFC 9113 8.3"),
  PSEUDO_FIELD_LATE(400, "pseudo-header field after another field", "RFC 9113 8.3"),
  PSEUDO_FIELD_MISSING(400, "pseudo-header field is missing", "RFC 9113 8.3.1"),
  PSEUDO_FIELD_FORBIDDEN(400, "pseudo-header field that the method excludes", "RFC 9113 8.5"),
  PSEUDO_FIELD_IN_TRAILERS(400, "pseudo-header field in a trailer section", "RFC 9113 8.1"),
  SCHEME_INVALID(400, "invalid scheme", "RFC 3986 3.1"),
  PROTOCOL_INVALID(400, "invalid :protocol", "RFC 8441 4"),
  CONNECTION_FIELD(400, "field for the connection of another version", "RFC 9113 8.2.2"),
  TE_INVALID(400, "TE holds more than trailers", "RFC 9113 8.2.2"),
  CONTENT_LENGTH_INVALID(400, "invalid Content-Length", "RFC 9112 6.3"),
  CONTENT_LENGTH_REPEATED(400, "more than one Content-Length", "RFC 9112 6.3"),
  CONTENT_LENGTH_WITH_TRANSFER_ENCODING(
      400, "Content-Length beside Transfer-Encoding", "RFC 9112 6.3"),
  TRANSFER_ENCODING_INVALID(400, "invalid Transfer-Encoding", "RFC 9112 6.1"),
  TRANSFER_ENCODING_NOT_CHUNKED_LAST(400, "chunked is not the final coding, once", "RFC 9112 6.3"),
  TRANSFER_ENCODING_IN_HTTP_1_0(400, "Transfer-Encoding in HTTP/1.0", "RFC 9112 6.1"),
  TRANSFER_CODING_UNKNOWN(501, "transfer coding is not supported", "RFC 9112 6.1"),
  EXPECTATION_UNKNOWN(417, "unknown expectation", "RFC 9110 10.1.1"),
  CHUNK_SIZE_INVALID(400, "invalid chunk size", "RFC 9112 7.1"),
  CHUNK_SIZE_TOO_LARGE(400, "chunk size is too large", "RFC 9112 7.1"),
  CHUNK_EXTENSION_INVALID(400, "invalid chunk extension", "RFC 9112 7.1.1"),
  CHUNK_EXTENSIONS_TOO_LARGE(413, "chunk extensions are too large", "RFC 9112 7.1.1"),
  CHUNK_DATA_NOT_ENDED(400, "chunk data is not followed by CRLF", "RFC 9112 7.1"),
  TRAILER_SECTION_TOO_LARGE(431, "trailer section is too large", "RFC 6585 5"),
  TOO_MANY_TRAILERS(431, "too many trailer fields", "RFC 6585 5");

  private final int status;
  private final String text;
  private final String rfcSection;

  Rejection(int status, String text, String rfcSection) {
    this.status = status;
    this.text = text;
    this.rfcSection = rfcSection;
  }

  /** Returns the status code of the response, 400 to 505. */
  public int status() {
    return status;
  }

  /** Returns one line of plain ASCII, safe to send and to log. */
  public String text() {
    return text;
  }

  /** Returns the RFC and section, as in {@code RFC 9112 3.2}. */
  public String rfcSection() {
    return rfcSection;
  }
}
