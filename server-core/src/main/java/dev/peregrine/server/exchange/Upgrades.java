package dev.peregrine.server.exchange;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.tunnel.TunnelUser;
import java.util.Objects;

/** Requests that leave HTTP, by an upgrade or by its form in HTTP/2, extended CONNECT. */
final class Upgrades {
  private Upgrades() {}

  /**
   * Agrees to an upgrade, and returns the status of the response.
   *
   * @throws IllegalStateException if the request isn't an upgrade, or its content wasn't read
   * @throws IllegalArgumentException if the client didn't offer those protocols
   */
  static int agree(Exchange exchange, FieldLines fields, String protocols) {
    FieldLines.check(HeaderName.UPGRADE, protocols);
    if (!exchange.request.isUpgrade()) {
      throw new IllegalStateException(
          "the request does not ask for an upgrade: see Request.isUpgrade");
    }
    if (!exchange.request.offersUpgradeTo(protocols)) {
      throw new IllegalArgumentException("the client did not offer to switch to " + protocols);
    }
    if (!exchange.content.isEnded()) {
      throw new IllegalStateException("read the content of an upgrade request first");
    }
    return status(exchange, fields, protocols);
  }

  /**
   * Agrees to CONNECT, and returns the status of the response.
   *
   * @throws IllegalStateException if the request isn't a CONNECT
   */
  static int agreeToTunnel(Exchange exchange) {
    if (exchange.head.method() != HttpMethod.CONNECT) {
      throw new IllegalStateException("the method of the request is not CONNECT");
    }
    return HttpStatus.OK.code();
  }

  /** Returns the user of a tunnel that passes bytes to a listener. */
  static RawTunnel raw(Exchange exchange, RawListener listener) {
    Objects.requireNonNull(listener, "listener");
    long highWater = exchange.context.limits().outboundHighWater();
    return new RawTunnel(exchange.connection(), listener, highWater);
  }

  private static int status(Exchange exchange, FieldLines fields, String protocols) {
    if (exchange.request.isExtendedConnect()) {
      return HttpStatus.OK.code();
    }
    fields.set(HeaderName.UPGRADE, protocols);
    return HttpStatus.SWITCHING_PROTOCOLS.code();
  }

  /**
   * Agrees to a WebSocket (RFC 6455 section 4.2, RFC 8441 section 5), and hands the connection or
   * stream over to it.
   *
   * @throws HttpException if the request isn't a valid handshake
   */
  static void webSocket(
      ExchangeResponse response,
      Exchange exchange,
      FieldLines fields,
      WebSocketOptions options,
      WebSocketListener listener) {
    requireWebSocket(exchange);
    ExchangeRequest request = exchange.request;
    if (exchange.context.trusted != null) {
      request.attribute(ForwardedClient.ADDRESS, request.remoteAddress());
    }
    TunnelUser user =
        exchange
            .context
            .webSockets()
            .agree(request, response, options)
            .open(exchange.connection(), listener, request.copyAttributes());
    response.handOver(status(exchange, fields, WebSocketOpener.PROTOCOL), user);
  }

  private static void requireWebSocket(Exchange exchange) {
    ExchangeRequest request = exchange.request;
    if (!request.offersUpgradeTo(WebSocketOpener.PROTOCOL)) {
      throw WebSocketOpener.required(request, "only WebSockets are served here");
    }
    if (!request.isExtendedConnect()
        && (request.method() != HttpMethod.GET || !exchange.content.isEnded())) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "a WebSocket is opened by GET without content");
    }
  }
}
