package dev.peregrine.bench.metrics;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Outcome;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RunMode;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a GET request that was answered at once.
 *
 * @param routeTemplate the template of its route
 * @param endNanos its duration
 */
record ScriptedExchange(String routeTemplate, long endNanos) implements ExchangeInfo {
  private static final int RESPONSE_BYTES = 13;

  @Override
  public ConnectionInfo connection() {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String methodName() {
    return "GET";
  }

  @Override
  public int copyMethod(byte[] into, int at) {
    return 0;
  }

  @Override
  public HttpVersion version() {
    return HttpVersion.HTTP_1_1;
  }

  @Override
  public String scheme() {
    return "http";
  }

  @Override
  public String target() {
    return routeTemplate;
  }

  @Override
  public int copyTarget(byte[] into, int at) {
    return 0;
  }

  @Override
  public @Nullable String host() {
    return null;
  }

  @Override
  public int copyHost(byte[] into, int at) {
    return -1;
  }

  @Override
  public SocketAddress remoteAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int copyRemoteAddress(byte[] into, int at) {
    return 0;
  }

  @Override
  public @Nullable String requestHeader(String name) {
    return null;
  }

  @Override
  public int copyRequestHeader(KnownHeader name, byte[] into, int at) {
    return -1;
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return null;
  }

  @Override
  public <T> void attribute(AttributeKey<T> key, @Nullable T value) {}

  @Override
  public int requestHeadBytes() {
    return 0;
  }

  @Override
  public long requestContentBytes() {
    return 0;
  }

  @Override
  public int status() {
    return 200;
  }

  @Override
  public long responseContentBytes() {
    return RESPONSE_BYTES;
  }

  @Override
  public long beginNanos() {
    return 0;
  }

  @Override
  public long handlerNanos() {
    return 0;
  }

  @Override
  public long firstByteNanos() {
    return endNanos;
  }

  @Override
  public RunMode runMode() {
    return RunMode.LOOP;
  }

  @Override
  public Outcome outcome() {
    return Outcome.COMPLETED;
  }

  @Override
  public @Nullable CloseReason closeReason() {
    return null;
  }
}
