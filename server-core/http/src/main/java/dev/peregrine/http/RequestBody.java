package dev.peregrine.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request (RFC 9110 section 6.4), which can be read once. Methods that begin with
 * {@code receive} return at once and call back on the event loop; {@link #readAll} and {@link
 * #inputStream} block. Reading it sends {@code 100 Continue} to a client that waits for that. The
 * connection is read only as fast as the handler reads the content. Content that no handler reads
 * is discarded.
 */
public interface RequestBody {
  /**
   * Returns the declared length in bytes; 0 without content; -1 if it isn't known before the end
   * (chunked).
   */
  long length();

  /**
   * Sets the largest content of this request in place of the server's limit. Call it before one of
   * the methods that read.
   *
   * @param bytesMax 0 or more
   * @throws IllegalStateException if the body was read before
   */
  RequestBody maxBytes(long bytesMax);

  /**
   * Takes content out of the limits for one message, because it is a conversation: its length is
   * unlimited, and the client may be silent. The handler bounds what it keeps and sends: with
   * HTTP/2, the client may also keep the response's window closed, and content is passed on
   * meanwhile. Once the response is complete, the rest of it has a least rate again.
   *
   * <p>{@code response.async(Duration.ZERO)} takes the begin of the response out of its time limit,
   * for a conversation that the client may begin.
   *
   * @throws IllegalStateException if the body was read before
   */
  RequestBody openEnded();

  /**
   * Returns the content for a thread that may block. A read waits for the client. It throws {@link
   * java.io.IOException} if the client disconnects, or the server rejects the content; its cause is
   * then a {@link ContentRejectedException}.
   *
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
   */
  InputStream inputStream();

  /**
   * Passes the content on piece by piece, on the event loop. Returns at once; the listener is
   * called after the handler has returned.
   *
   * @throws IllegalStateException if the body was read before
   */
  void receive(BodyListener listener);

  /**
   * Collects the content and passes it on whole, on the event loop. Returns at once. The client
   * gets 413 if the content is larger than the limit.
   *
   * @param bytesMax 0 or more
   * @param whenRead called once, after the handler has returned; not if the content never ends
   * @throws IllegalStateException if the body was read before
   */
  default void receiveAll(int bytesMax, Consumer<byte[]> whenRead) {
    receive(new WholeContent(length(), bytesMax, whenRead));
  }

  /**
   * Returns the content for a reactive library (Reactive Streams, {@link Flow}). Nothing is read
   * before the first demand, and later at most one buffer ahead of it. One subscriber can
   * subscribe, once. Call {@link Response#async} before, unless the subscriber demands everything
   * at once and completes the response at the end of the content.
   *
   * <p>Signals arrive on the event loop, or within {@code request}. The subscriber may keep and
   * change a buffer. {@code onError} gets an {@link IOException} if the client disconnects or
   * breaks the framing, and the exception of {@link #receive} if the body can't be read.
   */
  default Flow.Publisher<ByteBuffer> publisher() {
    return new BodyPublisher(this);
  }

  /**
   * Collects the content on a thread that may block.
   *
   * @param bytesMax 0 or more
   * @throws IOException if the client disconnects or breaks the framing
   * @throws HttpException 413 if the content is larger
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
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
    throw WholeContent.tooLarge(bytesMax);
  }

  /**
   * Stops {@link #receive} from passing on content, though not its end, until {@link #resume};
   * callable from any thread after {@link Response#async}.
   */
  void pause();

  /** Lets {@link #receive} continue; callable from any thread after {@link Response#async}. */
  void resume();

  /**
   * Returns a trailer field's value, once the content has ended (RFC 9110 section 6.5); null if it
   * is absent. Fields that are forbidden in trailers are dropped.
   *
   * @param name compared case-insensitively
   */
  @Nullable String trailer(String name);
}
