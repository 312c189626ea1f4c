package dev.peregrine.grpc;

import dev.peregrine.http.Request;
import dev.peregrine.tls.TlsInfo;
import io.grpc.Attributes;
import io.grpc.Grpc;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The attributes of a call. Most calls never need them, so the first use puts them together. */
final class CallAttributes {
  private final @Nullable Attributes ofConnection;
  private final SocketAddress remote;
  private final SocketAddress local;
  private final @Nullable TlsInfo tls;
  private volatile @Nullable Attributes whole;

  /** Reads the request now, because it can't be read after the end of its exchange. */
  CallAttributes(Request request) {
    this.ofConnection = request.attribute(TransportFilters.ATTRIBUTES);
    this.remote = request.remoteAddress();
    this.local = request.localAddress();
    this.tls = request.tls();
  }

  /** Returns all attributes; on any thread. */
  Attributes all() {
    Attributes known = whole;
    if (known == null) {
      known = build();
      whole = known;
    }
    return known;
  }

  private Attributes build() {
    Attributes.Builder builder =
        ofConnection == null ? Attributes.newBuilder() : ofConnection.toBuilder();
    builder.set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, remote);
    builder.set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, local);
    if (tls != null) {
      builder.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, session(tls));
    }
    return builder.build();
  }

  static SSLSession session(TlsInfo tls) {
    SSLSession known = tls.sslSession();
    return known == null ? new TlsFacts(tls) : known;
  }
}
