package dev.peregrine.bench.codec;

import java.nio.charset.StandardCharsets;

/** A connection's one request, and the status of its answer. */
public enum ScriptedRequest {
  GOOD("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
  NO_COLON("GET / HTTP/1.1\r\nHost: a\r\nConnection close\r\n\r\n", 400),
  TWO_LENGTHS("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
  OTHER_VERSION("GET / HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n", 505),
  LONG_FIELD("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(33_000) + "\r\n\r\n", 431),
  GOOD_LONG_FIELD(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: " + "a".repeat(32_000) + "\r\n\r\n",
      200),
  GOOD_CHUNKS(chunked("5\r\nhello\r\n0\r\n\r\n"), 200),
  BAD_CHUNKS(chunked("5\r\nhelloXX0\r\n\r\n"), 400);

  private final String text;
  private final int status;

  ScriptedRequest(String text, int status) {
    this.text = text;
    this.status = status;
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  int status() {
    return status;
  }

  private static String chunked(String chunks) {
    return "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chunks;
  }
}
