package dev.peregrine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Binds a JSON library to a server, for {@link Response#json} and {@link Request#readJson(int,
 * Class)}; the server contains none. Called concurrently by all event loops and threads of
 * handlers.
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
 * <p>This one is for Jackson 3, whose exceptions are unchecked like those of most libraries. Those
 * of Jackson 2 are {@link IOException}s, so a codec for it must separate the faults that are not
 * the client's: {@code catch (InvalidDefinitionException fault) { throw new
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

  /** Returns a value as JSON in UTF-8, in a new array. */
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
   * @return null for the JSON {@code null}, for which {@link Request#readJson(int, Class)} sends
   *     400
   * @throws IOException if the content isn't JSON, or not of that type. The client gets 400 with a
   *     general text. The exception's message, which may name classes, is logged at debug level
   * @throws HttpException for a status and text of the codec's choice
   * @throws RuntimeException for a fault of the program, such as a class that the library can't
   *     instantiate. The exchange fails with 500, and the exception is logged with its stack. A
   *     codec must not pass on unchecked exceptions that malformed content causes
   */
  <T> @Nullable T read(byte[] content, Class<T> type) throws IOException;

  /**
   * Reads a value while its content arrives, for {@link Request#readJson(int, Class)} on a thread
   * that may block. A codec that overrides this method holds no copy of the content, and can reject
   * it, or return, before all of it has arrived. The rest is discarded.
   *
   * @param content like {@link #read(byte[], Class)}; to be used during this call only. Its methods
   *     throw {@link IOException} if the client goes away, and {@link HttpException} for more bytes
   *     than the caller allows; the codec may wrap or drop these, the caller gets them nevertheless
   * @return like {@link #read(byte[], Class)}
   * @throws IOException like {@link #read(byte[], Class)}
   */
  default <T> @Nullable T read(InputStream content, Class<T> type) throws IOException {
    return read(content.readAllBytes(), type);
  }
}
