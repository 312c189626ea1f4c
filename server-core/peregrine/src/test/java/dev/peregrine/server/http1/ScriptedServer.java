package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.memory.JvmMemory;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.websocket.ScriptedWebSockets;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import java.time.Duration;
import java.util.function.LongSupplier;

/** HTTP/1.1 on one loop without sockets; the test controls the size of reads and writes. */
final class ScriptedServer implements AutoCloseable {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final ServerLimits LIMITS =
      ServerLimits.builder()
          .bodyBytesMax(10_000_000)
          .requestHeadTime(LONG)
          .keepAliveTime(LONG)
          .requestBytesPerSecondMin(0)
          .requestRateGrace(LONG)
          .responseBytesPerSecondMin(0)
          .responseRateGrace(LONG)
          .lingerTime(LONG)
          .build();

  final ScriptedLoop loop;
  final ConnectionGroup connections;
  private final Http1 http1;
  private final long idleBytes;
  private final ServerLog log = new ServerLog(); // keeps rejections off the console

  ScriptedServer(Handler handler) {
    this(handler, System::nanoTime);
  }

  /** Creates a server with the test's clock. */
  ScriptedServer(Handler handler, LongSupplier clock) {
    this(handler, clock, new JvmMemory());
  }

  /** Creates a server with the test's clock and memory. */
  ScriptedServer(Handler handler, LongSupplier clock, MemorySource memory) {
    loop = new ScriptedLoop(clock, memory);
    ExchangeContext context =
        new ExchangeContext(
            loop.loop(), handler, LIMITS, null, ErrorRenderer.PLAIN, new ExchangeReuse(0));
    context.openWebSocketsBy(() -> ScriptedWebSockets.of(context, ScriptedServer::noCompression));
    http1 =
        new Http1(
            context, new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR), "Test", false);
    connections = new ConnectionGroup(loop.loop(), LIMITS);
    idleBytes = loop.loop().bufferPool().bytesInUse();
    loop.atEnd(() -> connections.close(CloseReason.SHUTDOWN));
    loop.start();
  }

  private static CompressionPool noCompression() {
    throw new AssertionError("the client offers no compression");
  }

  /** A new connection. */
  ScriptedSocket connect() {
    ScriptedSocket socket = new ScriptedSocket();
    loop.run(() -> connections.open(socket, http1));
    return socket;
  }

  /** Serves a connection until no task of another thread and no input waits for a turn. */
  void serve(ScriptedSocket socket) {
    for (int atRest = 0; atRest < 2; ) {
      atRest = loop.call(() -> serveOnce(socket)) ? atRest + 1 : 0;
    }
  }

  /** Returns whether no input of any connection waits for a turn. */
  private boolean serveOnce(ScriptedSocket socket) {
    socket.serve();
    for (int i = 0; i < connections.size(); i++) {
      if (connections.get(i).wantsTurn()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the response to pieces that arrive one by one, without dates. */
  String exchange(byte[]... pieces) {
    ScriptedSocket socket = connect();
    for (byte[] piece : pieces) {
      socket.receive(piece);
      serve(socket);
    }
    socket.receiveEnd();
    serve(socket);
    return withoutDates(socket.text());
  }

  static String withoutDates(String responses) {
    return responses.replaceAll("Date: [^\r]*\r\n", "");
  }

  /** Fails if a connection holds a buffer. The loop's block for its next write doesn't count. */
  void checkIdleMemory() {
    long bytes = loop.call(() -> loop.loop().bufferPool().bytesInUse());
    if (bytes < idleBytes || bytes > idleBytes + 64 * 1024) {
      throw new AssertionError(bytes + " bytes in use, " + idleBytes + " when idle");
    }
  }

  @Override
  public void close() {
    loop.close();
    log.close();
  }
}
