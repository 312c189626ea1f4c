package dev.peregrine.server.tls.hello;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.observe.HandshakeFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Unencrypted answers to clients whose handshake fails before an engine takes part. */
public final class EarlyAnswers {
  private static final byte ALERT = 21; // type of record
  private static final byte FATAL = 2;
  private static final String CONTENT =
      "This port speaks HTTPS, and the request came without TLS.\n";

  private EarlyAnswers() {}

  /** Returns the bytes to send in a direct buffer, which may be empty. */
  public static ByteBuffer to(HelloException failure) {
    byte[] bytes =
        failure.reason() == HandshakeFailure.PLAIN_HTTP
            ? badRequest()
            : failure.alert() == HelloException.NO_ALERT
                ? new byte[0]
                : new byte[] {ALERT, 3, 3, 0, 2, FATAL, (byte) failure.alert()};
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Returns the bytes of content of the response to a failure; 0 if it isn't one of HTTP. */
  public static int contentBytes(HandshakeFailure reason) {
    return reason == HandshakeFailure.PLAIN_HTTP ? CONTENT.length() : 0;
  }

  private static byte[] badRequest() {
    String response =
        "HTTP/1.1 400 Bad Request\r\nDate: "
            + HttpDate.format(System.currentTimeMillis() / 1000)
            + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
            + CONTENT.length()
            + "\r\nConnection: close\r\n\r\n"
            + CONTENT;
    return response.getBytes(StandardCharsets.US_ASCII);
  }
}
