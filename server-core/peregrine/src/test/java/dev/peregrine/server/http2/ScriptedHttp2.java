package dev.peregrine.server.http2;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.GroupTime;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.memory.JvmMemory;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.websocket.ScriptedWebSockets;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One connection of HTTP/2, whose client and time the test scripts. */
final class ScriptedHttp2 implements AfterEachCallback {
  private static final byte[] PREFACE = Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final String REQUEST = ":method=GET|:scheme=http|:authority=a|:path=";

  private final ServerLog log = new ServerLog();
  private final ScriptedLoop loop;
  private final ScriptedSocket socket = new ScriptedSocket();
  private final ServerLimits limits;
  private final Handler handler;
  private final ConnectionGroup group;
  private int framesSeen;

  ScriptedHttp2(ServerLimits limits, Handler handler) {
    this(limits, handler, new JvmMemory());
  }

  ScriptedHttp2(ServerLimits limits, Handler handler, MemorySource memory) {
    this.loop = new ScriptedLoop(() -> 0, memory);
    this.limits = limits;
    this.handler = handler;
    this.group = new ConnectionGroup(loop.loop(), limits);
    loop.atEnd(() -> group.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    loop.close();
    log.close();
  }

  ServerLog log() {
    return log;
  }

  ScriptedLoop loop() {
    return loop;
  }

  /** The socket, for use on the loop. */
  ScriptedSocket socket() {
    return socket;
  }

  // ---- the client ----

  /** Opens the connection, whose client begins with the given frames. */
  Http2Connection open(@Nullable UpkeepRules rules, Http2Frame... first) {
    ExchangeContext context =
        new ExchangeContext(
            loop.loop(), handler, limits, null, ErrorRenderer.PLAIN, new ExchangeReuse(0));
    context.openWebSocketsBy(() -> ScriptedWebSockets.of(context, ScriptedHttp2::noCompression));
    Http2Protocol http2 =
        new Http2Protocol(
            context,
            new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), true),
            "Test",
            false,
            rules);
    Connection connection = loop.call(() -> group.open(socket, http2));
    Http2Connection opened =
        loop.call(() -> (Http2Connection) Objects.requireNonNull(connection.attachment()));
    receive(PREFACE);
    receive(first);
    return opened;
  }

  private static CompressionPool noCompression() {
    throw new AssertionError("the client offers no compression");
  }

  void receive(Http2Frame... frames) {
    receive(Http2Frame.bytes(frames));
  }

  private void receive(byte[] bytes) {
    loop.run(() -> socket.receive(bytes).serve());
  }

  void request(int stream, String path) {
    receive(Http2Frame.headers(stream, PlainHpack.block(REQUEST + path), true));
  }

  /** The client ends its side of the connection. */
  void receiveEnd() {
    loop.run(() -> socket.receiveEnd().serve());
  }

  /** Lets time pass for the connection. */
  void pass(Duration time) {
    loop.run(() -> GroupTime.skipTicks(group, time.toNanos() / GroupTime.tickNanos(group)));
  }

  // ---- the server ----

  /** Returns the frames that were written since the last call. */
  List<Http2Frame> newFrames() {
    ByteBuffer in = ByteBuffer.wrap(loop.call(socket::written));
    List<Http2Frame> all = new ArrayList<>();
    while (in.hasRemaining()) {
      int head = in.getInt();
      int flags = in.get();
      int stream = in.getInt();
      byte[] payload = new byte[head >>> 8];
      in.get(payload);
      all.add(new Http2Frame(head & 0xFF, flags, stream, payload));
    }
    List<Http2Frame> added = List.copyOf(all.subList(framesSeen, all.size()));
    framesSeen = all.size();
    return added;
  }

  String text() {
    return loop.call(socket::text);
  }

  boolean wasReset() {
    return loop.call(socket::wasReset);
  }

  boolean isClosed() {
    return loop.call(() -> !socket.isOpen() || socket.isOutputShutDown());
  }
}
