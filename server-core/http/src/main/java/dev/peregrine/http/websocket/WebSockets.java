package dev.peregrine.http.websocket;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Opens a WebSocket for each request that asks for one, over HTTP/1.1 and HTTP/2.
 *
 * <pre>{@code
 * Routes routes =
 *     Routes.builder()
 *         .get("/chat/{room}", WebSockets.of(request -> new Chat(request)).sameOrigin())
 *         .get("/prices", WebSockets.blocking(prices::serve).origins("https://example.com"))
 *         .build();
 * }</pre>
 *
 * <p>A page of any site can open a WebSocket to a server, and the browser sends the server's
 * cookies along. An endpoint that trusts cookies needs {@link #sameOrigin} or {@link #origins}.
 *
 * <p>Immutable: each option returns another handler. Requests that don't ask for a WebSocket fail
 * as {@link Response#webSocket(WebSocketOptions, WebSocketListener)} describes it.
 */
public final class WebSockets implements Handler {
  private static final WebSocketListener NEVER_CALLED = new WebSocketListener() {};

  private final Function<? super Request, ? extends WebSocketListener> listeners;
  private final OriginCheck origins;
  private final SubprotocolChoice subprotocols;
  private final WebSocketOptions options;

  private WebSockets(
      Function<? super Request, ? extends WebSocketListener> listeners,
      OriginCheck origins,
      SubprotocolChoice subprotocols,
      WebSocketOptions options) {
    this.listeners = listeners;
    this.origins = origins;
    this.subprotocols = subprotocols;
    this.options = options;
  }

  /** Returns a handler whose sockets have one listener, which all event loops call. */
  public static WebSockets of(WebSocketListener listener) {
    Objects.requireNonNull(listener, "listener");
    return of(request -> listener);
  }

  /**
   * Returns a handler that creates a listener for each request.
   *
   * @param listeners called on the event loop, before the socket is opened. The request can't be
   *     used after this call. May throw {@link dev.peregrine.http.HttpException} to refuse it
   */
  public static WebSockets of(Function<? super Request, ? extends WebSocketListener> listeners) {
    Objects.requireNonNull(listeners, "listeners");
    return new WebSockets(
        listeners, OriginCheck.NONE, SubprotocolChoice.NONE, WebSocketOptions.DEFAULT);
  }

  /** Returns a handler that serves each socket on a virtual thread of its own. */
  public static WebSockets blocking(BlockingWebSocketHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return of(request -> new BlockingListener(handler));
  }

  /**
   * Returns a handler that serves each socket on a virtual thread, by a handler that is created for
   * the request.
   *
   * <pre>{@code
   * WebSockets.blockingPerRequest(
   *     request -> {
   *       String room = request.pathParameter("room");
   *       return socket -> chat(room, socket);
   *     });
   * }</pre>
   *
   * @param handlers as {@link #of(Function)} takes it
   */
  public static WebSockets blockingPerRequest(
      Function<? super Request, ? extends BlockingWebSocketHandler> handlers) {
    Objects.requireNonNull(handlers, "handlers");
    return of(
        request ->
            new BlockingListener(Objects.requireNonNull(handlers.apply(request), "handler")));
  }

  /**
   * Returns a handler that admits pages of the given origins, besides those that it admits already;
   * any other page gets 403. Requests without an {@code Origin} are admitted: every browser sends
   * it, and other clients can send any value.
   *
   * @param origins such as {@code https://example.com} or {@code http://localhost:8080}: scheme,
   *     host and port are compared, without regard to case
   * @throws IllegalArgumentException if one of them isn't an origin
   */
  public WebSockets origins(String... origins) {
    return new WebSockets(listeners, this.origins.with(origins), subprotocols, options);
  }

  /**
   * Returns a handler that admits pages of its own origin, besides those that it admits already;
   * any other page gets 403. The page's origin must equal {@link Request#scheme} and {@link
   * Request#host}. Requests without an {@code Origin} are admitted, as for {@link #origins}.
   *
   * <p>A proxy in front must pass {@code Host} on. If it ends TLS and the endpoint doesn't get the
   * client's scheme from it, name the public origin by {@link #origins} instead.
   */
  public WebSockets sameOrigin() {
    return new WebSockets(listeners, origins.withSame(), subprotocols, options);
  }

  /**
   * Returns a handler that agrees on one of the given protocols above WebSocket with clients that
   * offer it; the listener finds it as {@link dev.peregrine.http.WebSocket#subprotocol}. A client
   * that offers none of them gets a socket without (RFC 6455 section 4.2.2), unless {@link
   * #requireSubprotocol} rejects it.
   *
   * @param preferredFirst tokens, compared case-sensitively
   * @throws IllegalArgumentException if one of them isn't a token
   */
  public WebSockets subprotocols(String... preferredFirst) {
    return with(new SubprotocolChoice(List.of(preferredFirst), subprotocols.required()));
  }

  /** Returns a handler that rejects clients that offer none of its protocols, with 400. */
  public WebSockets requireSubprotocol() {
    return with(new SubprotocolChoice(subprotocols.supported(), true));
  }

  /** Returns a handler that compresses messages or doesn't; see {@link WebSocketOptions}. */
  public WebSockets compression(boolean value) {
    return with(options.withCompression(value));
  }

  /**
   * Returns a handler with another limit for the length of a message, in place of {@code
   * WebSocketLimits.messageBytesMax}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WebSockets messageBytesMax(int value) {
    return with(options.withMessageBytesMax(value));
  }

  /**
   * Returns a handler that sends a ping after another time without bytes from the client, in place
   * of {@code WebSocketLimits.pingInterval}; zero for never.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WebSockets pingInterval(Duration value) {
    return with(options.withPingInterval(value));
  }

  /**
   * Returns a handler that cuts a connection after another time without bytes from the client, in
   * place of {@code WebSocketLimits.idleTime}; zero for never.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WebSockets idleTime(Duration value) {
    return with(options.withIdleTime(value));
  }

  private WebSockets with(SubprotocolChoice value) {
    return new WebSockets(listeners, origins, value, options);
  }

  private WebSockets with(WebSocketOptions value) {
    return new WebSockets(listeners, origins, subprotocols, value);
  }

  @Override
  public Set<String> methods() {
    return Set.of("GET");
  }

  @Override
  public void handle(Request request, Response response) {
    if (!request.isUpgrade()) {
      response.webSocket(NEVER_CALLED); // fails, before a listener is created
      return;
    }
    origins.check(request);
    String subprotocol = subprotocols.choose(request);
    WebSocketListener listener = Objects.requireNonNull(listeners.apply(request), "listener");
    response.webSocket(options.withSubprotocol(subprotocol), listener);
  }
}
