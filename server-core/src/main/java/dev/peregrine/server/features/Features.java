package dev.peregrine.server.features;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.handover.HandOverOptions;
import dev.peregrine.server.handover.InheritedSource;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.memory.MemorySource;
import dev.peregrine.server.proxy.ProxyLayer;
import dev.peregrine.server.start.NativeTransport;
import dev.peregrine.server.start.RecordedLoop;
import dev.peregrine.server.start.ServerEvents;
import dev.peregrine.server.start.ServerFacts;
import dev.peregrine.server.start.ServerFeatures;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.tls.TlsEngine;
import dev.peregrine.server.tls.config.NativeEngine;
import dev.peregrine.server.tls.openssl.OpenSslEngine;
import dev.peregrine.server.transport.Transport;
import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.epoll.MappedMemory;
import dev.peregrine.server.websocket.WebSocketContext;
import dev.peregrine.server.websocket.deflate.CompressionBudget;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All optional parts of one server, put together by the one class that names them. Its methods load
 * a part when a program first uses it. Thread-safe.
 */
public final class Features implements ServerFeatures {
  /** The transport by Linux system calls. */
  public static final NativeTransport EPOLL = new Epoll();

  private static final int COMPRESSION_LEVEL = 6; // zlib's default

  private @Nullable CompressionPool compression; // created for the first compressed WebSocket

  /** All features, for one server. */
  public Features() {}

  /** Returns the layer of the PROXY protocol. */
  public static SocketLayer proxyProtocol(TrustedPeers peers) {
    return new ProxyLayer(peers);
  }

  /** Returns the engine of the system's OpenSSL. */
  public static NativeEngine openSsl() {
    return OpenSsl.create();
  }

  /** Returns the source of a socket that this process was started with, by its descriptor. */
  public static ListenerSource descriptor(int number) {
    return InheritedSource.ofDescriptor(number);
  }

  /** Returns the source of the sockets of systemd that have a name; null for all of them. */
  public static ListenerSource activated(@Nullable String name) {
    return InheritedSource.ofSystemd(name);
  }

  /** Returns the hand-over that {@code HandOver} describes. */
  public static SocketHandOver handOver(
      Path path,
      Duration patience,
      Duration readyTime,
      Runnable beforeReady,
      Runnable onHandedOver) {
    return HandOverOptions.of(path, patience, readyTime, beforeReady, onHandedOver);
  }

  /**
   * Sends a message with descriptors to a local socket of another process.
   *
   * @return false if that takes no messages at present
   */
  public static boolean send(String address, String message, int... descriptors)
      throws IOException {
    try (LocalSocket socket = LocalSocket.sender(address)) {
      return socket.send(message, descriptors);
    }
  }

  @Override
  public NativeTransport nativeTransport() {
    return EPOLL;
  }

  @Override
  public Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    return new Http2Source(context, options);
  }

  @Override
  public Supplier<WebSocketOpener> webSockets(ExchangeContext context, ServerSettings options) {
    return new WebSocketSource(this, context, options.limits.webSocket().compressionBytesMax());
  }

  /** Returns the memory for compressed WebSockets of all loops; callable from any thread. */
  private synchronized CompressionPool compression(long bytesMax) {
    if (compression == null) {
      compression = new CompressionPool(COMPRESSION_LEVEL, new CompressionBudget(bytesMax));
    }
    return compression;
  }

  @Override
  public synchronized void close() {
    if (compression != null) {
      compression.close();
    }
  }

  @Override
  public ServerEvents events(ServerFacts facts, List<RecordedLoop> loops) {
    return new FlightEvents(facts, loops);
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  private record Http2Source(ExchangeContext context, ServerSettings options)
      implements Supplier<Protocol> {
    @Override
    public Protocol get() {
      Http2HeadReader heads =
          new Http2HeadReader(options.limits.parser(), options.leniencies, true);
      boolean acceptsHttps = options.leniencies.contains(Leniency.HTTPS_TARGET);
      return new Http2(context, heads, options.serverName, acceptsHttps);
    }
  }

  private record WebSocketSource(Features features, ExchangeContext context, long bytesMax)
      implements Supplier<WebSocketOpener> {
    @Override
    public WebSocketOpener get() {
      return new WebSocketContext(context, () -> features.compression(bytesMax));
    }
  }

  private static final class OpenSsl implements NativeEngine {
    /** Returns it by its seam, so that the class Features loads nothing of TLS. */
    static NativeEngine create() {
      return new OpenSsl();
    }

    @Override
    public @Nullable String problem() {
      return OpenSslEngine.problem();
    }

    @Override
    public TlsEngine open() {
      return new OpenSslEngine();
    }
  }

  private static final class Epoll implements NativeTransport {
    @Override
    public String name() {
      return "epoll";
    }

    @Override
    public @Nullable String knownProblem() {
      return Linux.problem();
    }

    @Override
    public @Nullable String problem() {
      return EpollTransport.problem();
    }

    @Override
    public boolean isLinked() {
      return Linux.isLinked();
    }

    @Override
    public void postponeLink() {
      Linux.postponeLink();
    }

    @Override
    public void link() {
      LinuxMemory.prepare();
    }

    @Override
    public Transport open() {
      return EpollTransport.open();
    }

    @Override
    public MemorySource memory() {
      return new MappedMemory();
    }

    @Override
    public void rehearseMove() {
      EpollTransport.rehearseMove();
    }

    @Override
    public void keepFrom(int descriptor) {
      Linux.keepFrom(descriptor);
    }
  }
}
