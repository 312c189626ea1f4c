package dev.peregrine.grpc;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.tls.TlsInfo;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls transport filters for connections, and passes their attributes to the calls. */
final class TransportFilters implements ConnectionListener, ExchangeListener {
  static final AttributeKey<Attributes> ATTRIBUTES = AttributeKey.of("grpc transport");

  private final List<ServerTransportFilter> filters;
  private final Map<ConnectionInfo, Attributes> connections = new ConcurrentHashMap<>();
  private final Map<ConnectionInfo, TlsInfo> handshakes = new ConcurrentHashMap<>();

  TransportFilters(List<ServerTransportFilter> filters) {
    this.filters = List.copyOf(filters);
  }

  @Override
  public void onHandshake(ConnectionInfo connection, TlsInfo tls, Duration time) {
    handshakes.put(connection, tls);
  }

  @Override
  public void onBegin(ExchangeInfo exchange) {
    ConnectionInfo connection = exchange.connection();
    Attributes known = connections.get(connection);
    if (known == null) {
      known = ready(connection);
      connections.put(connection, known);
    }
    exchange.attribute(ATTRIBUTES, known);
  }

  private Attributes ready(ConnectionInfo connection) {
    Attributes.Builder builder = Attributes.newBuilder();
    builder.set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, connection.remoteAddress());
    builder.set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, connection.localAddress());
    TlsInfo tls = handshakes.remove(connection);
    if (tls != null) {
      builder.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, CallAttributes.session(tls));
    }
    Attributes attributes = builder.build();
    for (ServerTransportFilter filter : filters) {
      attributes = filter.transportReady(attributes);
    }
    return attributes;
  }

  @Override
  public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    handshakes.remove(connection);
    Attributes known = connections.remove(connection);
    if (known != null) {
      for (ServerTransportFilter filter : filters) {
        filter.transportTerminated(known);
      }
    }
  }
}
