package dev.peregrine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Binds a JSON library to a server, for {@link Response#json} and {@link Request#readJson(int,
 * Class)}; the server has none of its own. Called by all event loops and handlers' threads at a
 * time.
 *
 * <pre>{@code
 * record Jackson(ObjectMapper mapper) implements JsonCodec {
 *   public void write(Object value, OutputStream target) throws IOException {
 *     mapper.writeValue(target, value);
 *   }
 *
 *   public <T> T read(byte[] content, Class<T> type) throws IOException {
 *     try {
 *       return mapper.readValue(content, type);
 *     } catch (InvalidDefinitionException fault) { // of the class, not of the content
 *       throw fault;
 *     } catch (JacksonException malformed) {
 *       throw new IOException(malformed);
 *     }
 *   }
 * }
 *
 * HttpServer.builder().json(new Jackson(mapper)).handler(routes).start();
 * }</pre>
 *
 * <p>This one is for Jackson 3, whose exceptions are unchecked, as those of most libraries are.
 * Those of Jackson 2 are {@link IOException}s, so there the codec has to keep apart what isn't the
 * client's fault: {@code catch (InvalidDefinitionException fault) { throw new
 * IllegalStateException(fault); }}.
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
   * @return null for the JSON {@code null}, which {@link Request#readJson(int, Class)} answers with
   *     400
   * @throws IOException if the content isn't JSON, or not of that type. The client is answered 400
   *     with a general text: the exception's message may name classes, and is logged at debug level
   * @throws HttpException to answer with a status and text of the codec's own
   * @throws RuntimeException for a fault of the program, such as a class that the library can't
   *     make. The exchange fails with 500, and the exception is logged with its stack: a codec must
   *     not pass on what malformed content makes an unchecked library throw
   */
  <T> @Nullable T read(byte[] content, Class<T> type) throws IOException;
}
