package dev.peregrine.server.exchange.view;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.exchange.text.ForwardedClient;
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
  static int agree(ExchangeRequest request, FieldLines fields, String protocols) {
    FieldLines.check(HeaderName.UPGRADE, protocols);
    if (!request.isUpgrade()) {
      throw new IllegalStateException(
          "the request does not ask for an upgrade: see Request.isUpgrade");
    }
    if (!request.offersUpgradeTo(protocols)) {
      throw new IllegalArgumentException("the client did not offer to switch to " + protocols);
    }
    if (!request.isContentEnded()) {
      throw new IllegalStateException("read the content of an upgrade request first");
    }
    return status(request, fields, protocols);
  }

  /**
   * Agrees to CONNECT, and returns the status of the response.
   *
   * @throws IllegalStateException if the request isn't a CONNECT
   */
  static int agreeToTunnel(ExchangeRequest request) {
    if (request.method() != HttpMethod.CONNECT) {
      throw new IllegalStateException("the method of the request is not CONNECT");
    }
    return HttpStatus.OK.code();
  }

  /** Returns the user of a tunnel that passes bytes to a listener. */
  static RawTunnel raw(ExchangeState exchange, RawListener listener) {
    Objects.requireNonNull(listener, "listener");
    long highWater = exchange.context.limits().outboundHighWater();
    return new RawTunnel(exchange.connection(), listener, highWater, exchange.context.retainer());
  }

  /** Returns the status of the response that agrees, and sets its field. */
  static int status(ExchangeRequest request, FieldLines fields, String protocols) {
    if (request.isExtendedConnect()) {
      return HttpStatus.OK.code();
    }
    fields.set(HeaderName.UPGRADE, protocols);
    return HttpStatus.SWITCHING_PROTOCOLS.code();
  }

  /**
   * Agrees to a WebSocket (RFC 6455 section 4.2, RFC 8441 section 5). Returns the user of its
   * connection or stream.
   *
   * @throws HttpException if the request isn't a valid handshake
   */
  static TunnelUser webSocket(
      Response response,
      ExchangeState exchange,
      ExchangeRequest request,
      WebSocketOptions options,
      WebSocketListener listener) {
    requireWebSocket(request);
    if (exchange.context.trusted != null) {
      request.attribute(ForwardedClient.ADDRESS, request.remoteAddress());
    }
    return exchange
        .context
        .webSockets()
        .agree(request, response, options)
        .open(exchange.connection(), listener, request.copyAttributes());
  }

  private static void requireWebSocket(ExchangeRequest request) {
    if (!request.offersUpgradeTo(WebSocketOpener.PROTOCOL)) {
      throw WebSocketOpener.required(request, "only WebSockets are served here");
    }
    if (!request.isExtendedConnect()
        && (request.method() != HttpMethod.GET || !request.isContentEnded())) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "a WebSocket is opened by GET without content");
    }
  }
}
