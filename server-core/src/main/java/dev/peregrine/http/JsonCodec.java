package dev.peregrine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Binds a JSON library to a server, for {@link HttpResponse#json} and {@link
 * HttpRequest#readJson(int, Class)}; the server has none of its own. Called by all event loops and
 * handlers' threads at a time.
 *
 * <pre>{@code
 * record Jackson(ObjectMapper mapper) implements JsonCodec {
 *   public void write(Object value, OutputStream target) throws IOException {
 *     mapper.writeValue(target, value);
 *   }
 *
 *   public <T> T read(byte[] content, Class<T> type) throws IOException {
 *     return mapper.readValue(content, type);
 *   }
 * }
 *
 * HttpServer.builder().json(new Jackson(mapper)).handler(routes).start();
 * }</pre>
 */
public interface JsonCodec {
  /**
   * Writes a value as JSON in UTF-8.
   *
   * @param target memory that is sent when this method returns, so writing never waits; to be used
   *     during this call only; flushing and closing it does nothing
   * @throws IOException fails the exchange, and so does any other exception
   */
  void write(Object value, OutputStream target) throws IOException;

  /** A value as JSON in UTF-8, in an array of its own. */
  default byte[] toBytes(Object value) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      write(value, content);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return content.toByteArray();
  }

  /**
   * Reads a value.
   *
   * @param content JSON in UTF-8, which may be malformed in any way
   * @return null for the JSON {@code null}, which {@link HttpRequest#readJson(int, Class)} answers
   *     with 400
   * @throws IOException if the content isn't JSON, or not of that type. The client is answered 400
   *     with a general text: the exception's message may name classes, and is logged at debug level
   * @throws HttpException to answer with a status and text of the codec's own
   */
  <T> @Nullable T read(byte[] content, Class<T> type) throws IOException;
}
