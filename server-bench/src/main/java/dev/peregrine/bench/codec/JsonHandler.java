package dev.peregrine.bench.codec;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes a small object for each request, as a serialiser that reuses its buffer would. The bytes
 * are copied into the response before the next request, so one buffer per loop is enough.
 */
final class JsonHandler implements Handler {
  private static final byte[] BEGIN = "{\"message\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\"}".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MESSAGE = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final int BUFFER_BYTES = 64;

  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  @Override
  public void handle(Request request, Response response) {
    buffer.clear().put(BEGIN).put(MESSAGE).put(END).flip();
    response.contentType(ContentType.APPLICATION_JSON).send(buffer);
  }
}
