package dev.peregrine.http;

import dev.peregrine.protocol.HeaderName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response to one request. Status and header fields come first, then the content, in one of
 * four ways: whole ({@link #send}, {@link #text} …), as {@link #stream}, as {@link #outputStream},
 * or by a {@linkplain #send(Flow.Publisher) publisher}. The server adds Date, Server, Connection
 * and the framing fields, and leaves out the content where the request or the status has none
 * (HEAD, 204, 304).
 *
 * <p>A stream that the handler closes completes the response when the handler has returned
 * normally. If the handler throws, the client gets 500 or sees that the response is incomplete,
 * although a {@code try} statement has closed the stream by then. The same holds for a callback,
 * for {@link #onLoop} and for the stage of {@link #async(Supplier)}. Where none of these runs any
 * more, as on another thread after {@link #async()}, closing the stream completes the response at
 * once. Content that is sent whole is complete in any case, unless a filter changes it: see {@code
 * Compression}.
 *
 * <p>After a call that has thrown for lack of memory or stack, the handler can send a response that
 * isn't committed again; otherwise the exchange fails when the handler returns.
 *
 * <p>Used by one thread at a time, like the request. Methods that would change what has been sent,
 * and every use after the end of the exchange, throw {@link IllegalStateException}; {@link #fail},
 * {@link #complete} and {@link #onLoop} then do nothing.
 */
public interface Response {
  /**
   * Sets the status; 200 if never called.
   *
   * @param code 200 to 599 (RFC 9110 section 15)
   * @throws IllegalArgumentException outside that range
   */
  Response status(int code);

  /** Like {@link #status(int)}, by name. */
  default Response status(HttpStatus status) {
    return status(status.code());
  }

  /**
   * Returns the status that was sent, such as 500 where the handler has failed; otherwise that set.
   */
  int status();

  /**
   * Sets a field, in place of earlier fields of that name. {@code Content-Length} is taken as
   * {@link #contentLength} is. Over HTTP/1, {@code Connection: close} ends the connection after
   * this response. Over HTTP/2 it is ignored, because other responses share the connection.
   *
   * @param name compared case-insensitively
   * @param value sent as ISO-8859-1
   * @throws IllegalArgumentException if the name isn't a token or the value has a character that a
   *     field value can't have, such as CR, LF or NUL (RFC 9110 section 5.5); for a {@code
   *     Content-Length} that isn't a number; or for {@code Transfer-Encoding} and any other {@code
   *     Connection}, which are the server's
   */
  Response header(String name, String value);

  /**
   * Returns the value of the first field of that name that was set; null if none was. Among them is
   * a length that was declared. Fields that the server adds by itself are not, and neither are
   * those of an error response.
   *
   * @param name compared case-insensitively
   */
  @Nullable String header(String name);

  /** Returns the values of all fields of that name, like {@link #header(String)}. */
  List<String> headers(String name);

  /**
   * Adds a field line beside others of that name; otherwise like {@link #header(String, String)}.
   */
  Response addHeader(String name, String value);

  /** Adds field lines that were checked before, beside others of those names. */
  Response addHeaders(PreparedFields fields);

  /** Sets Content-Type without any check or copy. */
  Response contentType(ContentType type);

  /** Sets Content-Type like {@link #contentType}, unless one was set in any way. */
  Response contentTypeUnlessSet(ContentType type);

  /**
   * Declares the length of content that is sent piece by piece. It is sent to the client, and
   * content of another length fails the exchange. A response to HEAD may declare it without the
   * content, and so may a 304: that of the 200 that it replaces (RFC 9110 section 8.6).
   *
   * @param bytes 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  default Response contentLength(long bytes) {
    return header(HeaderName.CONTENT_LENGTH, Long.toString(bytes));
  }

  /**
   * Sets a cookie, beside others.
   *
   * @throws IllegalStateException if browsers would ignore it, see {@link SetCookie#fieldValue}
   */
  default Response setCookie(SetCookie cookie) {
    return addHeader(HeaderName.SET_COOKIE, cookie.fieldValue());
  }

  /**
   * Sends an interim response at once, before the response itself (RFC 9110 section 15.2). Clients
   * of HTTP/1.0 get none, and neither does a client that has yet to receive earlier bytes.
   *
   * @param status 102 to 199; only the server sends 100 and 101
   * @throws IllegalArgumentException for another status
   * @throws IllegalStateException if the response has begun
   */
  Response interim(int status, PreparedFields fields);

  /**
   * Sends {@code 103 Early Hints} (RFC 8297): links of a page that the handler has yet to write.
   *
   * @param links values of Link fields (RFC 8288): {@code </style.css>; rel=preload; as=style}
   * @throws IllegalArgumentException if a value isn't one of a field
   * @throws IllegalStateException if the response has begun
   */
  default Response earlyHints(String... links) {
    PreparedFields fields = PreparedFields.NONE;
    for (String link : links) {
      fields = fields.and(HeaderName.LINK, link);
    }
    return interim(HttpStatus.EARLY_HINTS.code(), fields);
  }

  /** Redirects the client with {@code 302 Found}. */
  default void redirect(String location) {
    redirect(HttpStatus.FOUND, location);
  }

  /**
   * Redirects the client (RFC 9110 section 15.4). Check one that a client chose: {@code //host/}.
   *
   * @param status 301, 302, 303, 307 or 308
   * @param location a URI, absolute or relative to the request's
   * @throws IllegalArgumentException for another status, or a location that isn't a URI
   */
  default void redirect(HttpStatus status, String location) {
    String target = Redirects.check(location); // first, so that a rejected location changes nothing
    status(Redirects.check(status)).header(HeaderName.LOCATION, target).send();
  }

  /** Sends the response without content. */
  default void send() {
    send(WholeContent.EMPTY);
  }

  /**
   * Sends {@code 304 Not Modified} in place of content of that type and length (RFC 9110 section
   * 15.4.5). Neither is sent. {@code Compression} sets ETag and Vary by them as {@code 200} would
   * have them; for a 304 that is sent in another way, it takes the content for compressible.
   *
   * @param type null for content that is never compressed: without a type, or sent from a file
   * @param bytes its length, 0 or more
   */
  default void sendNotModified(@Nullable ContentType type, long bytes) {
    status(HttpStatus.NOT_MODIFIED).send();
  }

  /**
   * Sends the response with that content. On the event loop, up to 16 KiB are copied before this
   * method returns. Otherwise the array must not be changed until it is sent.
   */
  void send(byte[] content);

  /**
   * Sends the response with the buffer's remaining bytes. Neither they nor the buffer's position
   * and limit may be changed until they are sent; the server doesn't change either. Nor may the
   * buffer's arena be closed, or the response is cut short. An automatic arena suits better than a
   * shared one, whose memory is copied before it is sent.
   *
   * @throws IllegalStateException if the response has been sent already, or the buffer's arena is
   *     closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  void send(ByteBuffer content);

  /**
   * Like {@link #send(ByteBuffer)}, for a buffer that its owner uses again, such as one of a pool.
   * Until the call of {@code whenSent} it is the server's, which may change its position and limit.
   *
   * <pre>{@code
   * response.send(page, pool::giveBack);
   * }</pre>
   *
   * @param whenSent called exactly once with the buffer, soon after the connection has taken the
   *     last byte or a copy of it, or won't: the exchange has failed, the response has no content,
   *     or this method throws (anything but {@link NullPointerException}). It runs on the event
   *     loop, later than this call; on another thread, or at once, only if the loop has ended or
   *     the heap is full. Must not block. An exception is logged
   */
  void send(ByteBuffer content, Consumer<? super ByteBuffer> whenSent);

  /**
   * Sends the response with a part of a file. On {@code java.nio} that is {@code
   * FileChannel.transferTo}: where the system can, its bytes don't pass through the program. The
   * epoll transport does so for {@link #send(Path)} and {@code StaticFiles}, and reads any other
   * channel into a buffer. The event loop reads the file as the client receives it, up to 256 KiB
   * at a time; a slow disk delays the loop's other connections. Unless this method throws, the
   * server takes the channel over, and closes it when it isn't needed any more; the handler must
   * not close it. A file that turns out to be shorter ends the connection before the response is
   * complete.
   *
   * @param position index of the first byte, 0 or more
   * @param count number of bytes, 0 or more
   */
  void send(FileChannel file, long position, long count);

  /**
   * Sends the response with a whole file; no Content-Type unless one was set. Never blocks an event
   * loop to open it. Fails the exchange if it can't be opened or isn't a regular file. See {@link
   * #send(FileChannel, long, long)}, and {@code StaticFiles} for files that clients name.
   */
  void send(Path file);

  /**
   * Sends the buffers that a reactive library emits (Reactive Streams, {@link Flow}), each at once,
   * chunked or with the length that was declared, like {@link #stream}. Implies {@link #async()},
   * also in a blocking handler. From here on the publisher determines the response: it ends when
   * the publisher completes, and {@link #complete} does nothing.
   *
   * <pre>{@code
   * response.contentType(ContentType.of("text/csv")).send(database.rows().map(Row::toCsv));
   * }</pre>
   *
   * <p>One buffer at a time is requested, and only while less than the high-water mark is unsent. A
   * buffer's bytes must not be changed once it was emitted, and its arena must not be closed before
   * they are sent. Its position and limit may be; the server leaves them as they are.
   *
   * <p>The publisher may signal on any thread. {@code request} and {@code cancel} are called on the
   * event loop and must not block. If the publisher fails, the exchange fails as if the handler had
   * thrown, and so it does if the publisher throws, emits null, or emits more than was requested.
   * The publisher is cancelled if the response can't be completed, if this method throws, and after
   * its first buffer where the response has no content (HEAD, 204, 304).
   *
   * @throws IllegalStateException if the response has been sent already, or the exchange has ended
   */
  default void send(Flow.Publisher<? extends ByteBuffer> content) {
    PublishedContent.send(this, content, null);
  }

  /**
   * Like {@link #send(Flow.Publisher)}, for buffers that are used again.
   *
   * @param whenSent called for each buffer as for {@link #send(ByteBuffer, Consumer)}; for those
   *     that are emitted once the response has ended, on the publisher's thread
   */
  default void send(
      Flow.Publisher<? extends ByteBuffer> content, Consumer<? super ByteBuffer> whenSent) {
    PublishedContent.send(this, content, Objects.requireNonNull(whenSent, "whenSent"));
  }

  /** Sends text as UTF-8; {@code text/plain; charset=utf-8} unless another type was set. */
  default void text(String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    contentTypeUnlessSet(ContentType.TEXT_PLAIN_UTF_8);
    send(bytes);
  }

  /** Sends text as UTF-8; {@code text/html; charset=utf-8} unless another type was set. */
  default void html(String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    contentTypeUnlessSet(ContentType.TEXT_HTML_UTF_8);
    send(bytes);
  }

  /**
   * Sends a value as JSON, {@code application/json} unless another type was set. On the event loop
   * it is written directly to the memory that is sent, or copied there if it is short.
   *
   * @throws IllegalStateException if the server has no {@link JsonCodec}
   */
  void json(Object value);

  /**
   * Returns the codec of this server.
   *
   * @throws IllegalStateException if the server has none
   */
  JsonCodec jsonCodec();

  /**
   * Starts content that is sent piece by piece, without blocking. Called once for a response: keep
   * the stream. A response that has begun has no time limit; only the rate at which the client
   * receives it is limited. Its length is the {@code Content-Length} that the handler set; without
   * one it is sent chunked (RFC 9112 section 7.1), or to the end of the connection for HTTP/1.0.
   */
  ResponseStream stream();

  /**
   * Starts content that is written to a stream. Called once for a response: keep the stream. On a
   * thread that may block, a write waits while too much is unsent. On the event loop it doesn't.
   * Content of up to 16 KiB that is never flushed is sent with its length. The response is complete
   * when the stream is closed and the handler has returned. Writing and closing throw {@link
   * IOException} if the client has disconnected. Some streams of the JDK flush the wrapped stream
   * when they are closed ({@link java.io.BufferedOutputStream}, {@link
   * java.io.OutputStreamWriter}); the response is sent in chunks then.
   */
  OutputStream outputStream();

  /**
   * Switches the connection to another protocol (RFC 9110 section 7.8): sends {@code 101} with the
   * fields that were set, then hands the connection over, from the byte after the request on.
   *
   * @param protocol value of the Upgrade field, one of those that the client offered
   * @throws IllegalStateException if the request isn't an upgrade (see {@link Request#isUpgrade})
   *     or its content hasn't been read to the end
   * @throws IllegalArgumentException if the client didn't offer that protocol
   */
  void upgrade(String protocol, RawListener listener);

  /**
   * Sends success to a CONNECT request and hands the connection over (RFC 9110 section 9.3.6).
   *
   * @throws IllegalStateException if the request isn't a CONNECT
   */
  void tunnel(RawListener listener);

  /**
   * Opens a WebSocket with the {@linkplain WebSocketOptions#DEFAULT default options}; see {@link
   * #webSocket(WebSocketOptions, WebSocketListener)}.
   *
   * @throws HttpException if the request doesn't ask for a WebSocket
   */
  default void webSocket(WebSocketListener listener) {
    webSocket(WebSocketOptions.DEFAULT, listener);
  }

  /**
   * Answers the client's opening handshake (RFC 6455 section 4.2, RFC 8441) with the fields that
   * were set, then hands the connection or stream over to a listener. The listener is called on the
   * event loop.
   *
   * @throws HttpException if the request doesn't ask for a WebSocket, or not as the RFC demands:
   *     400, or 426 if another version of the protocol or none is asked for. A handler lets it pass
   * @throws IllegalArgumentException if the client doesn't offer the subprotocol of the options
   * @throws IllegalStateException if the response was begun
   */
  void webSocket(WebSocketOptions options, WebSocketListener listener);

  /**
   * Allows the response to be completed after the handler has returned, from any thread (one at a
   * time). The request stays readable until then. If it has not begun after {@code
   * ServerLimits.responseBeginTime}, 5 minutes by default, the client gets 503 and the request is
   * logged.
   */
  Response async();

  /**
   * Like {@link #async()}, with another limit, for example for a long poll.
   *
   * @param beginsWithin time from now to the begin of the response; then the client gets 503. Zero
   *     for no limit
   * @throws IllegalArgumentException if it is negative or above 36,500 days
   */
  Response async(Duration beginsWithin);

  /**
   * Like {@link #async()}, for a response that another part of the program completes: if the stage
   * ends with an exception, so does the exchange, as if the handler had thrown it. A stream that is
   * closed meanwhile completes the response when the stage completes. If the stage has completed,
   * the handler has returned, and there is no response, the client gets 500.
   *
   * <pre>{@code
   * response.async(() -> users.find(id).thenAccept(user -> response.text(user.name())));
   * }</pre>
   *
   * @param work starts the work and returns its stage; called once, before this method returns
   * @throws NullPointerException if it returns null
   */
  Response async(Supplier<? extends CompletionStage<?>> work);

  /**
   * Runs work on the event loop, after this call and in the order of the calls, unless the exchange
   * has ended by then; callable from any thread after {@link #async}. An exception of the work
   * fails the exchange.
   */
  void onLoop(Runnable work);

  /**
   * Runs work on the event loop once, after a delay, unless it is cancelled or the exchange ends
   * first; callable from any thread after {@link #async}. An exception of the work fails the
   * exchange.
   *
   * @param delay from now to the earliest time; 50 years at most
   * @throws IllegalArgumentException if it is negative
   */
  ScheduledWork onLoopAfter(Duration delay, Runnable work);

  /**
   * Calls back once, on the event loop, if the response can't be completed any more: the client
   * disconnected or was too slow, or the exchange failed, also because its own handler threw.
   * {@link RequestBody#inputStream}, {@link RequestBody#publisher} and {@link #outputStream} report
   * that by themselves; this is for work elsewhere.
   *
   * <pre>{@code
   * Future<?> query = database.submit(request.pathParameter("id"), response::text);
   * response.async().onAbort(cause -> query.cancel(true));
   * }</pre>
   *
   * <p>The cause of the exception is the failure that code of the application threw, if any.
   *
   * <p>The request can't be relied on in the call, because the exchange may have ended. If that has
   * happened already, the callback is called at once. A client that only ended its side of the
   * connection may still wait for its response. A vanished client is noticed only when a write
   * fails or its reset arrives.
   */
  Response onAbort(Consumer<IOException> callback);

  /**
   * Calls back once, on the event loop, if the client ends its side of the connection before the
   * response is complete: a closed tab, or an abandoned poll. If that has happened already, the
   * callback is called at once.
   *
   * <p>A client may also end its side and still wait for its response (half-close). Only the
   * application knows its clients, so the server does nothing by itself: the callback may complete
   * the response, or stop the work for it. A reset of the connection is reported to {@link
   * #onAbort} alone. A client of HTTP/2 ends its side by cancelling the request, too; {@link
   * #onAbort} follows, unless the response is complete by then.
   *
   * <p>Works even while the handler is busy, on {@code java.nio} if further requests have less than
   * {@code ServerLimits.pipelinedBytesMax} bytes. An exception of the callback fails the exchange.
   */
  Response onClientClosed(Runnable callback);

  /**
   * Calls back once, on the event loop, if the server begins to shut down before the response is
   * complete; at once if that has happened. An exception of the callback fails the exchange.
   */
  Response onShutdown(Runnable callback);

  /**
   * Calls back once, on the event loop, right before the head of the response is sent. By then its
   * status is decided, and {@link #status()} returns it. In the call, only fields, including the
   * content type, can still be set. Callbacks also run before an error response, but not before
   * interim ones.
   *
   * <pre>{@code
   * long began = System.nanoTime();
   * response.beforeCommit(() -> response.header("X-Nanos", "" + (System.nanoTime() - began)));
   * handler.handle(request, response);
   * }</pre>
   *
   * <p>The one that was added last is called first, so an outer filter sees the fields of those
   * inside it. An exception fails the exchange, and the other callbacks are called before the error
   * response; an exception there is logged.
   *
   * @throws IllegalStateException if the handler has sent or begun the response
   */
  Response beforeCommit(Runnable callback);

  /**
   * Calls back once, on the event loop, when the exchange has ended in any way: its response was
   * passed to the connection and the content of its request was received, or neither will happen
   * any more. {@link #status}, and the request's head and attributes, can still be read in the
   * call. An exception of the callback is logged. If the exchange has ended already, the callback
   * is called soon.
   */
  Response onComplete(Consumer<Outcome> callback);

  /**
   * Fails the exchange as if the handler had thrown this: 500 if nothing was sent yet, otherwise
   * the connection is closed, or a stream of HTTP/2 reset (after a 429 with ENHANCE_YOUR_CALM).
   * Fields of content that isn't sent are dropped: those named Content-*, Repr-Digest,
   * Accept-Ranges, ETag, Last-Modified, Location, Age, Expires, Trailer, Connection and Upgrade;
   * Cache-Control becomes {@code no-store}. Does nothing if the response is complete. Callable from
   * any thread after {@link #async}.
   */
  void fail(Throwable cause);

  /**
   * Ends the response: closes the stream that was opened, does nothing if the response is complete,
   * and fails the exchange if nothing was sent at all. A stream that {@link
   * ResponseStream#onWritable} was called on stays open, because its writer has yet to continue.
   */
  void complete();

  /**
   * Returns true if status and header fields can't be changed any more: they have been sent, the
   * stream of the response has been closed, or the client is gone. A handler that has closed its
   * stream can still {@link #fail} or throw.
   */
  boolean isCommitted();
}
