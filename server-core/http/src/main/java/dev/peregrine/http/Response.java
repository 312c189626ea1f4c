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
   * Returns the status: that of the response that was sent, such as 500 where the handler has
   * failed; otherwise the one that was set, also if nothing was sent in the end.
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
   * content, and so may a 304, whose length is that of the 200 that it replaces (RFC 9110 section
   * 8.6).
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
   * <pre>{@code
   * response.earlyHints("</style.css>; rel=preload; as=style");
   * }</pre>
   *
   * @param links values of Link fields (RFC 8288)
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

  /** Redirects the client with {@code 302 Found}; see the other method of this name. */
  default void redirect(String location) {
    redirect(HttpStatus.FOUND, location);
  }

  /**
   * Redirects the client (RFC 9110 section 15.4). Check a location that a client has chosen: {@code
   * //host/} leads to another host.
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
   * 15.4.5). Neither is sent. {@code Compression} decides by them whether it would have compressed
   * the content, so that ETag and Vary are the ones that {@code 200} would have; where a handler
   * sends 304 in another way, it assumes that the content is compressible.
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
   * and limit may be changed until they are sent; the server doesn't change either.
   *
   * <p>Nor may the buffer's arena be closed until then, or the response is cut short. No callback
   * reports when that is, so an automatic arena suits better than a shared one, whose memory is
   * also copied before it is sent.
   *
   * @throws IllegalStateException if the response has been sent already, or the buffer's arena is
   *     closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  void send(ByteBuffer content);

  /**
   * Sends the response with a part of a file. On {@code java.nio} that is {@code
   * FileChannel.transferTo}: where the system can, its bytes don't pass through the program. The
   * epoll transport does so for {@link #send(Path)} and {@code StaticFiles}, and reads any other
   * channel into a buffer. The event loop reads the file as the client receives it, up to 256 KiB
   * at a time; a slow disk delays the loop's other connections. Unless this method throws, the
   * server takes the channel over, and closes it when the part was sent or isn't needed any more.
   * The handler must not close it, so don't put this call into a {@code try} statement. A file that
   * turns out to be shorter ends the connection before the response is complete.
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
   * <p>One buffer at a time is requested, and only while less than the high-water mark is unsent.
   * Remaining bytes are sent; empty buffers are ignored. A buffer's bytes must not be changed any
   * more once it was emitted, and its arena must not be closed before they are sent. Its position
   * and limit may be, and the server leaves them as they are.
   *
   * <p>The publisher may signal on any thread. {@code request} and {@code cancel} are called on the
   * event loop and must not block. If the publisher fails, the exchange fails as if the handler had
   * thrown, and so it does if the publisher throws, emits null, or emits more than was requested.
   * If the response can't be completed, the publisher is cancelled; it is also cancelled if this
   * method throws. Where the response has no content (HEAD, 204, 304), it is cancelled after the
   * first buffer.
   *
   * @throws IllegalStateException if the response has been sent already, or the exchange has ended
   */
  default void send(Flow.Publisher<? extends ByteBuffer> content) {
    PublishedContent.send(this, content);
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
   * Like {@link #async()}, with another limit in place of {@code ServerLimits.responseBeginTime},
   * for example for a long poll.
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
   * <p>The exception tells why. If the exchange failed, its cause is that failure, if code of the
   * application or a filter threw it.
   *
   * <p>The request can't be relied on in the call, because the exchange may have ended: read what
   * the callback needs before.
   *
   * <p>If that has happened already, the callback is called at once. A client that only ended its
   * side of the connection may still wait for its response. A vanished client is noticed only when
   * a write fails or its reset arrives.
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
   * <p>Works even while the handler is busy. If the client has sent more requests, {@code java.nio}
   * detects the end if these have less than {@code ServerLimits.pipelinedBytesMax} bytes. An
   * exception of the callback fails the exchange.
   */
  Response onClientClosed(Runnable callback);

  /**
   * Calls back once, on the event loop, if the server begins to shut down before the response is
   * complete, so that one without a natural end can be ended. If that has happened already, the
   * callback is called at once. An exception of the callback fails the exchange.
   */
  Response onShutdown(Runnable callback);

  /**
   * Calls back once, on the event loop, right before the head of the response is sent. By then its
   * status is decided, and {@link #status()} returns it. In the call, only fields, including the
   * content type, can still be set. Callbacks also run before an error response: if the handler has
   * thrown, or if the server has rejected the content or waited too long. They don't run before
   * interim responses, or if no head is sent.
   *
   * <pre>{@code
   * long began = System.nanoTime();
   * response.beforeCommit(
   *     () -> {
   *       long micros = (System.nanoTime() - began) / 1000;
   *       response.header("Server-Timing", "app;dur=" + micros / 1000.0);
   *     });
   * handler.handle(request, response);
   * }</pre>
   *
   * <p>Of several callbacks the one that was added last is called first, so an outer filter sees
   * the fields of those inside it. An exception of a callback fails the exchange, as that of a
   * handler does; before an error response it is logged. The other callbacks are called before the
   * error response.
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
   * Fails the exchange as if the handler had thrown this: 500 if nothing has been sent yet,
   * otherwise the connection is closed. Fields of content that isn't sent are dropped: {@code
   * Content-Type}, {@code Content-Encoding}, {@code Content-Language}, {@code Content-Location},
   * {@code Content-Range}, {@code Content-Disposition}, {@code Content-Digest}, {@code
   * Repr-Digest}, {@code Accept-Ranges}, {@code ETag}, {@code Last-Modified}, {@code Location},
   * {@code Age}, {@code Expires}, {@code Trailer}, {@code Connection} and {@code Upgrade}; {@code
   * Cache-Control} becomes {@code no-store}. Does nothing if the response is complete. Callable
   * from any thread after {@link #async}.
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
   * stream, as a {@code try} statement does, can still {@link #fail} or throw: nothing is sent
   * before it returns, if the content was short.
   */
  boolean isCommitted();
}
