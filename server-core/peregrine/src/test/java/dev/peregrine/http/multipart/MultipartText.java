package dev.peregrine.http.multipart;

import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Content of multipart forms, with the boundary "XX", and requests with it. */
final class MultipartText {
  static final String TYPE = "multipart/form-data; boundary=XX";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Adds a field. */
  MultipartText field(String name, String value) {
    return part("form-data; name=\"" + name + "\"", "", value.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a file. */
  MultipartText file(String name, String filename, byte[] content) {
    return part(
        "form-data; name=\"" + name + "\"; filename=\"" + filename + "\"",
        "Content-Type: application/octet-stream\r\n",
        content);
  }

  /** Adds a part. */
  MultipartText part(String disposition, String moreHeader, byte[] content) {
    raw("--XX\r\nContent-Disposition: " + disposition + "\r\n" + moreHeader + "\r\n");
    bytes.writeBytes(content);
    return raw("\r\n");
  }

  /** Adds text as it is. */
  MultipartText raw(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Returns the content with the last boundary. */
  byte[] end() {
    return raw("--XX--\r\n").bytes();
  }

  /** Returns the content so far. */
  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Returns a request with content of a declared length. */
  static byte[] post(String type, byte[] content) {
    return Requests.join(Requests.bytes(head(type, content.length)), content);
  }

  /** Returns the head of a request. */
  static String head(String type, long bytes) {
    return "POST / HTTP/1.1\r\nHost: test\r\nContent-Type: "
        + type
        + "\r\nContent-Length: "
        + bytes
        + "\r\n\r\n";
  }

  /** Returns a request with content in chunks. */
  static byte[] chunked(String type, byte[] content, int chunkBytes) {
    return Requests.join(
        Requests.bytes(
            "POST / HTTP/1.1\r\nHost: test\r\nContent-Type: "
                + type
                + "\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Requests.chunks(content, chunkBytes, Map.of()));
  }
}
