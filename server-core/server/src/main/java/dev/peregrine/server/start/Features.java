package dev.peregrine.server.start;

import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.loop.EventLoop;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The optional parts of one server; null for each that it is built without. Thread-safe. */
public final class Features {
  private final List<Feature> all;

  /** The features of one server: at most one of each kind. */
  Features(List<Feature> all) {
    this.all = all;
  }

  /** Returns the transport by system calls; null if there is only {@code java.nio}. */
  @Nullable NativeTransport nativeTransport() {
    for (Feature feature : all) {
      NativeTransport transport = feature.nativeTransport();
      if (transport != null) {
        return transport;
      }
    }
    return null;
  }

  /** Returns true if there is HTTP/2. */
  boolean hasHttp2() {
    for (Feature feature : all) {
      if (feature.isHttp2()) {
        return true;
      }
    }
    return false;
  }

  /** Returns a source of HTTP/2 for a loop; null for HTTP/1 only. */
  public @Nullable Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    for (Feature feature : all) {
      Supplier<Protocol> http2 = feature.http2(context, options);
      if (http2 != null) {
        return http2;
      }
    }
    return null;
  }

  /** Returns a source of WebSockets for a loop; null for none. */
  public @Nullable Supplier<WebSocketOpener> webSockets(
      ExchangeContext context, ServerSettings options) {
    for (Feature feature : all) {
      Supplier<WebSocketOpener> webSockets = feature.webSockets(context, options);
      if (webSockets != null) {
        return webSockets;
      }
    }
    return null;
  }

  /** Returns the events of a server; null if none are recorded. */
  public @Nullable ServerEvents events(ServerFacts facts, List<RecordedLoop> loops) {
    for (Feature feature : all) {
      ServerEvents events = feature.events(facts, loops);
      if (events != null) {
        return events;
      }
    }
    return null;
  }

  /** Returns the hand-over of listening sockets; null for none. */
  @Nullable SocketHandOver handOver() {
    for (Feature feature : all) {
      SocketHandOver handOver = feature.handOver();
      if (handOver != null) {
        return handOver;
      }
    }
    return null;
  }

  /** Tells the features which loops are about to start. */
  void begin(ServerFacts facts, List<EventLoop> loops) {
    for (Feature feature : all) {
      feature.begin(facts, loops);
    }
  }

  /** Gives back what all loops of the server share. */
  public void close() {
    all.forEach(Feature::close);
  }
}
