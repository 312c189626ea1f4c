package dev.peregrine.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request (RFC 9110 section 6.4), taken once. Methods that begin with {@code
 * receive} return at once and call back on the event loop; {@link #readAll} and {@link
 * #inputStream} block. Taking the content sends {@code 100 Continue} to a client that waits for it.
 * The connection is read only as fast as the content is taken. Content that a handler doesn't take
 * is discarded.
 */
public interface RequestBody {
  /**
   * The declared length in bytes; 0 without content; -1 if it isn't known before the end (chunked).
   */
  long length();

  /**
   * Sets the largest content for this request in place of the server's limit; before the content is
   * asked for.
   *
   * @param bytesMax 0 or more
   * @throws IllegalStateException if the body was asked for before
   */
  RequestBody maxBytes(long bytesMax);

  /**
   * Bytes for a thread that may block. A read waits for the client; it throws {@link
   * java.io.IOException} if the client goes away or breaks the framing.
   *
   * @throws IllegalStateException on an event loop's thread, or if the body was asked for before
   */
  InputStream inputStream();

  /**
   * Passes the content on piece by piece, on the event loop. Returns at once; the listener is
   * called after the handler has returned.
   *
   * @throws IllegalStateException if the body was asked for before
   */
  void receive(BodyListener listener);

  /**
   * Collects the content and passes it on whole, on the event loop. Returns at once. The client is
   * answered 413 if the content is larger than the limit.
   *
   * @param bytesMax 0 or more
   * @param whenRead called once, after the handler has returned; not if the content never ends
   * @throws IllegalStateException if the body was asked for before
   */
  default void receiveAll(int bytesMax, Consumer<byte[]> whenRead) {
    receive(new WholeContent(length(), bytesMax, whenRead));
  }

  /**
   * The content for a reactive library, as one demands it (Reactive Streams, {@link Flow}). Nothing
   * is read before the first demand, and later one buffer at most ahead of it. Subscribing, which
   * one subscriber can do once, asks for the body. Say {@link Response#async} before, unless the
   * subscriber demands all of it at once and answers when it is complete.
   *
   * <p>Signals come on the event loop, or within {@code request}. A buffer is the subscriber's, to
   * keep and to change. If the client goes away or breaks the framing, {@code onError} has an
   * {@link IOException}; if the body can't be had, what {@link #receive} throws.
   */
  default Flow.Publisher<ByteBuffer> publisher() {
    return new BodyPublisher(this);
  }

  /**
   * Collects the content where the thread may block.
   *
   * @param bytesMax 0 or more
   * @throws IOException if the client goes away or breaks the framing
   * @throws HttpException 413 if the content is larger
   * @throws IllegalStateException on an event loop's thread, or if the body was asked for before
   */
  default byte[] readAll(int bytesMax) throws IOException {
    int most = Math.min(bytesMax, Integer.MAX_VALUE - 1);
    if (length() <= most) {
      try (InputStream in = inputStream()) {
        byte[] content = in.readNBytes(most + 1);
        if (content.length <= most) {
          return content;
        }
      }
    }
    throw new HttpException(
        HttpStatus.CONTENT_TOO_LARGE.code(), "content of more than " + bytesMax + " bytes");
  }

  /**
   * Stops {@link #receive} from passing on more until {@link #resume}; callable from any thread
   * after {@link Response#async}.
   */
  void pause();

  /** Lets {@link #receive} go on; callable from any thread after {@link Response#async}. */
  void resume();

  /**
   * A trailer field's value once the content has ended (RFC 9110 section 6.5); null if there is
   * none. Fields that may not be in trailers are never here.
   *
   * @param name compared without regard to case
   */
  @Nullable String trailer(String name);
}
