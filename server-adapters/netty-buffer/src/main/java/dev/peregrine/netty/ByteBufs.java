package dev.peregrine.netty;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.WebSocket;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Content of requests and responses as Netty's buffers, without a copy.
 *
 * <p>Methods that send take the ownership of a buffer, as those of a Netty channel do: its readable
 * bytes are sent, and it is released once, when the connection has taken the last byte or won't,
 * whatever happens, also if the method throws. That is on the event loop; on another thread if the
 * loop has ended. A buffer that the caller has released as well is a defect of the caller: Netty's
 * {@link io.netty.util.IllegalReferenceCountException} is logged, or thrown if it was released
 * before the call. Until the bytes have gone, another reference keeps their memory from that one
 * release too many, and {@code refCnt} counts it. Nobody may change the bytes meanwhile.
 *
 * <pre>{@code
 * Handler page = (request, response) -> ByteBufs.send(response, cache.page().retainedDuplicate());
 * }</pre>
 */
public final class ByteBufs {
  private ByteBufs() {}

  /**
   * Sends a response whose content are the readable bytes of a buffer. Composite buffers are sent
   * part by part.
   *
   * @throws IllegalStateException if the response has been sent already
   */
  public static void send(Response response, ByteBuf content) {
    Release parts = Release.ofParts(content);
    if (parts.isWhole()) {
      response.send(parts.first(), parts);
      return;
    }
    ResponseStream stream;
    try {
      stream = response.contentLength(content.readableBytes()).stream();
    } catch (Throwable failure) {
      parts.endAll();
      throw failure;
    }
    parts.writeTo(stream);
    stream.complete();
  }

  /** Writes the readable bytes of a buffer as a part of a response. */
  public static void write(ResponseStream stream, ByteBuf part) {
    Release.ofParts(part).writeTo(stream);
  }

  /**
   * Sends the readable bytes of a buffer as a binary message. Those of a composite buffer are
   * copied.
   *
   * @return true if there is room for more
   */
  public static boolean sendBinary(WebSocket socket, ByteBuf content) {
    Release whole = Release.ofWhole(content);
    return socket.sendBinary(whole.first(), whole);
  }

  /**
   * Sends the readable bytes of a buffer, UTF-8, as a text message. Those of a composite buffer are
   * copied.
   *
   * @return true if there is room for more
   * @throws IllegalArgumentException if it isn't valid UTF-8
   */
  public static boolean sendText(WebSocket socket, ByteBuf utf8) {
    Release whole = Release.ofWhole(utf8);
    return socket.sendText(whole.first(), whole);
  }

  /**
   * Keeps received bytes as a buffer, to be released by the caller on any thread. Its bytes can't
   * be written to. What {@link Bytes#retain} says holds: a large piece isn't copied, and all count
   * against {@code ServerLimits.retainedBytesMax}. A buffer that isn't released is reported by
   * Netty's {@link io.netty.util.ResourceLeakDetector} and by the server, which takes the bytes
   * back.
   *
   * @throws dev.peregrine.http.HttpException 503 if too many bytes would be retained
   */
  public static ByteBuf retain(Bytes data) {
    return ReceivedBuf.of(data.retain());
  }

  /**
   * Collects the content of a request and passes it on as one buffer, on the event loop. Returns at
   * once. Large pieces aren't copied. The client gets 413 if the content is larger than the limit.
   *
   * @param bytesMax 0 or more
   * @param whenRead called once with a buffer that it must release, after the handler has returned;
   *     not if the content never ends
   * @throws IllegalStateException if the body was read before
   */
  public static void receiveAll(
      RequestBody body, int bytesMax, Consumer<? super ByteBuf> whenRead) {
    body.receive(new ContentCollector(bytesMax, whenRead));
  }
}
