package dev.peregrine.spring;

import dev.peregrine.http.Request;
import dev.peregrine.tls.TlsInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;

/** A request as Spring sees it: head and content are read from the server's request. */
final class AdaptedRequest extends AbstractServerHttpRequest {
  private final Request request;
  private final DataBufferFactory buffers;
  private final Runnable cancelHandler;
  // Read now, because access logs ask for them after the end of the exchange.
  private final SocketAddress remote;
  private final SocketAddress local;
  private final @Nullable TlsInfo tls;

  AdaptedRequest(Request request, DataBufferFactory buffers, Runnable cancelHandler)
      throws URISyntaxException {
    super(
        HttpMethod.valueOf(request.methodName()),
        RequestUri.of(request),
        "",
        new HttpHeaders(new RequestHeaders(request)));
    this.request = request;
    this.buffers = buffers;
    this.cancelHandler = cancelHandler;
    this.remote = request.remoteAddress();
    this.local = request.localAddress();
    this.tls = request.tls();
  }

  @Override
  public Flux<DataBuffer> getBody() {
    return request.body().length() == 0
        ? Flux.empty()
        : Flux.from(new ContentPublisher(request.body(), buffers, cancelHandler));
  }

  @Override
  protected MultiValueMap<String, HttpCookie> initCookies() {
    return RequestCookies.of(request.headers(HttpHeaders.COOKIE));
  }

  @Override
  protected @Nullable SslInfo initSslInfo() {
    TlsInfo info = tls;
    return info == null ? null : new AdaptedTls(info);
  }

  @Override
  public @Nullable InetSocketAddress getRemoteAddress() {
    return remote instanceof InetSocketAddress internet ? internet : null;
  }

  @Override
  public @Nullable InetSocketAddress getLocalAddress() {
    return local instanceof InetSocketAddress internet ? internet : null;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller knows the server
  public <T> T getNativeRequest() {
    return (T) request;
  }
}
