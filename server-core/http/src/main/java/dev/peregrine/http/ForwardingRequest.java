package dev.peregrine.http;

import dev.peregrine.http.host.HostMap;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.tls.TlsInfo;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that wraps another one. A filter extends it and overrides the methods that it changes.
 *
 * <p>Each method calls the same method of the wrapped request, except for those that {@link
 * Request} defines by other methods: {@code pathParameter}, {@code queryParameter}, {@code cookie},
 * {@code readForm}, {@code receiveForm}, {@code readJson} and {@code receiveJson}. These use the
 * methods of this object, so a filter that overrides {@link #body} has changed the content of forms
 * too. A filter that overrides {@link #query} overrides {@link #queryParameters} as well.
 */
public class ForwardingRequest implements Request {
  private final Request wrapped;

  /** Wraps a request. */
  public ForwardingRequest(Request wrapped) {
    this.wrapped = Objects.requireNonNull(wrapped);
  }

  /** Returns the wrapped request. */
  protected final Request wrapped() {
    return wrapped;
  }

  @Override
  public HttpMethod method() {
    return wrapped.method();
  }

  @Override
  public String methodName() {
    return wrapped.methodName();
  }

  @Override
  public HttpVersion version() {
    return wrapped.version();
  }

  @Override
  public String target() {
    return wrapped.target();
  }

  @Override
  public String path() {
    return wrapped.path();
  }

  @Override
  public boolean pathIs(String path) {
    return wrapped.pathIs(path);
  }

  @Override
  public PathSegments pathSegments() {
    return wrapped.pathSegments();
  }

  @Override
  public int routedSegments() {
    return wrapped.routedSegments();
  }

  @Override
  public @Nullable String routeTemplate() {
    return wrapped.routeTemplate();
  }

  @Override
  public @Nullable String query() {
    return wrapped.query();
  }

  @Override
  public Parameters queryParameters() {
    return wrapped.queryParameters();
  }

  @Override
  public @Nullable String host() {
    return wrapped.host();
  }

  @Override
  public <T> @Nullable T host(HostMap<T> hosts) {
    return wrapped.host(hosts);
  }

  @Override
  public @Nullable String header(String name) {
    return wrapped.header(name);
  }

  @Override
  public @Nullable String header(KnownHeader name) {
    return wrapped.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return wrapped.headers(name);
  }

  @Override
  public boolean hasHeader(KnownHeader name) {
    return wrapped.hasHeader(name);
  }

  @Override
  public int headerCount() {
    return wrapped.headerCount();
  }

  @Override
  public String headerName(int index) {
    return wrapped.headerName(index);
  }

  @Override
  public String headerValue(int index) {
    return wrapped.headerValue(index);
  }

  @Override
  public boolean isUpgrade() {
    return wrapped.isUpgrade();
  }

  @Override
  public RequestBody body() {
    return wrapped.body();
  }

  @Override
  public JsonCodec jsonCodec() {
    return wrapped.jsonCodec();
  }

  @Override
  public String scheme() {
    return wrapped.scheme();
  }

  @Override
  public boolean isSecure() {
    return wrapped.isSecure();
  }

  @Override
  public @Nullable TlsInfo tls() {
    return wrapped.tls();
  }

  @Override
  public SocketAddress remoteAddress() {
    return wrapped.remoteAddress();
  }

  @Override
  public SocketAddress peerAddress() {
    return wrapped.peerAddress();
  }

  @Override
  public @Nullable ProxyInfo proxy() {
    return wrapped.proxy();
  }

  @Override
  public SocketAddress localAddress() {
    return wrapped.localAddress();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return wrapped.attribute(key);
  }

  @Override
  public <T> Request attribute(AttributeKey<T> key, @Nullable T value) {
    wrapped.attribute(key, value);
    return this;
  }
}
