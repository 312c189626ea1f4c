package dev.peregrine.spring;

import dev.peregrine.http.WebSocketOptions;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.reactive.socket.HandshakeInfo;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.adapter.ContextWebSocketHandler;
import org.springframework.web.reactive.socket.server.RequestUpgradeStrategy;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Opens WebSockets for {@link WebSocketHandler}s of Spring WebFlux, over HTTP/1.1 and HTTP/2. The
 * server needs WebSockets: {@code Peregrine.builder()} has them.
 *
 * <pre>{@code
 * @Bean
 * WebSocketService webSocketService() {
 *   return new HandshakeWebSocketService(new PeregrineRequestUpgradeStrategy());
 * }
 * }</pre>
 *
 * <p>A session gets text, binary messages and pongs; the server answers pings by itself. Messages
 * are read as the handler demands them, and sent as the client takes them. A handler that reads
 * none, or has stopped to read, is told when the client closes the socket or goes away; but while a
 * message waits for demand, nothing that follows it is read, the end of the socket included. A
 * {@code PONG} that a handler sends is left out, because pongs only answer pings here.
 */
public final class PeregrineRequestUpgradeStrategy implements RequestUpgradeStrategy {
  private final WebSocketOptions options;

  /** Opens sockets with the {@linkplain WebSocketOptions#DEFAULT default options}. */
  public PeregrineRequestUpgradeStrategy() {
    this(WebSocketOptions.DEFAULT);
  }

  /**
   * Opens sockets.
   *
   * @param options for all sockets. The subprotocol is the one that Spring chooses
   */
  public PeregrineRequestUpgradeStrategy(WebSocketOptions options) {
    this.options = Objects.requireNonNull(options, "options");
  }

  @Override
  public Mono<Void> upgrade(
      ServerWebExchange exchange,
      WebSocketHandler handler,
      @Nullable String subProtocol,
      Supplier<HandshakeInfo> handshakeInfoFactory) {
    AdaptedResponse response = adapted(exchange.getResponse());
    HandshakeInfo handshake = handshakeInfoFactory.get();
    WebSocketOptions chosen = options.withSubprotocol(subProtocol);
    Mono<Void> upgrade =
        Mono.deferContextual(
            context -> {
              response.handOver();
              WebSocketHandler decorated = ContextWebSocketHandler.decorate(handler, context);
              response
                  .server()
                  .webSocket(
                      chosen, new SessionListener(decorated, handshake, response.bufferFactory()));
              return Mono.empty();
            });
    return exchange.getResponse().setComplete().then(upgrade); // with the fields that were set
  }

  private static AdaptedResponse adapted(ServerHttpResponse response) {
    ServerHttpResponse inner = response;
    while (inner instanceof ServerHttpResponseDecorator decorator) {
      inner = decorator.getDelegate();
    }
    if (inner instanceof AdaptedResponse adapted) {
      return adapted;
    }
    throw new IllegalArgumentException(
        "not a response of PeregrineHttpHandlerAdapter: " + inner.getClass().getName());
  }
}
