package dev.peregrine.bench.codec;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.RecordedLoop;
import dev.peregrine.server.start.ServerEvents;
import dev.peregrine.server.start.ServerFacts;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.websocket.WebSocketProtocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One event loop with one connection on a scripted socket, up to a {@link Stage}. Limits and
 * deadlines are the defaults.
 */
public final class Codec {
  private static final int WRITE_BYTES_MAX = 64 * 1024;
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final ServerLimits LIMITS = ServerLimits.DEFAULT;

  /** A response as long as that of {@link Stage#PLAINTEXT}. */
  private static final String PREBUILT =
      """
      HTTP/1.1 200 OK\r
      Server: Peregrine\r
      Date: Sat, 21 Nov 2026 12:00:00 GMT\r
      Content-Type: text/plain\r
      Content-Length: 13\r
      \r
      Hello, World!""";

  private final ScriptedSocket socket;
  private final EventLoop loop;
  private final ScriptedPoller poller;
  private @Nullable ConnectionGroup connections;
  private @Nullable ExchangeContext exchanges;

  /** Starts the loop and opens the connection. */
  Codec(Stage stage, byte[] request, int depth) {
    this(repeated(request, depth));
    try {
      open(stage, request.length, depth);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    loop.start();
  }

  /** Starts the loop and opens a connection whose exchanges have listeners. */
  Codec(byte[] request, int depth, List<ExchangeListener> listeners) {
    this(repeated(request, depth));
    ExchangeContext context = context(Codec::answer);
    ConnectionGroup group = group();
    if (!listeners.isEmpty()) {
      group.record().observeBy(List.of());
      context.observeBy(listeners);
    }
    exchanges = context;
    try {
      group.open(socket, new Http1(context, parser(), "Peregrine", false));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    loop.start();
  }

  /** Starts a loop on which every turn is a new connection with one request. */
  Codec(Handler handler, byte[] request) {
    this(request);
    poller.tell(new Visits(group(), http1(parser(), handler), socket, poller));
    loop.start();
  }

  private Codec(Handler handler, @Nullable JsonCodec json, byte[] request) {
    this(request);
    ExchangeContext context =
        new ExchangeContext(loop, handler, LIMITS, json, ErrorRenderer.PLAIN, new ExchangeReuse(0));
    try {
      group().open(socket, new Http1(context, parser(), "Peregrine", false));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    loop.start();
  }

  /** Starts a loop on which every turn is a request to a handler, on one connection. */
  public static Codec serving(Handler handler, @Nullable JsonCodec json, byte[] request) {
    return new Codec(handler, json, request);
  }

  /** Starts the loop and opens a connection of HTTP/2. */
  Codec(Http2Requests script) {
    this(new ScriptedSocket(script, WRITE_BYTES_MAX));
    ServerSettings settings = settings(Http2.create());
    Supplier<Protocol> http2 = settings.features.http2(context(Codec::answer), settings);
    try {
      group().open(socket, Objects.requireNonNull(http2).get());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    loop.start();
  }

  /** Returns the events of a loop for the Flight Recorder. */
  static ServerEvents events(ServerFacts facts, RecordedLoop loop) {
    return Objects.requireNonNull(
        settings(FlightEvents.create()).features.events(facts, List.of(loop)));
  }

  private static ServerSettings settings(Feature feature) {
    ServerSettings.Builder settings = new ServerSettings.Builder();
    settings.limits = LIMITS;
    settings.handler = Codec::answer;
    settings.leniencies.add(Leniency.HTTPS_TARGET);
    settings.add(feature);
    return settings.build();
  }

  /** Starts the loop and opens a WebSocket that sends messages back. */
  Codec(WebSocketMessages script) {
    this(new ScriptedSocket(script, WRITE_BYTES_MAX));
    ExchangeContext context =
        context((request, response) -> response.webSocket(new EchoListener()));
    ServerSettings settings = settings(WebSocketProtocol.create());
    context.openWebSocketsBy(
        Objects.requireNonNull(settings.features.webSockets(context, settings)));
    try {
      group().open(socket, new Http1(context, parser(), "Peregrine", false));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    loop.start();
  }

  private Codec(byte[] script) {
    this(new ScriptedSocket(script, WRITE_BYTES_MAX));
  }

  private Codec(ScriptedSocket scripted) {
    ScriptedTransport transport = new ScriptedTransport();
    socket = scripted;
    try {
      loop = new EventLoop("codec", transport);
      poller = transport.poller();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static byte[] repeated(byte[] request, int times) {
    byte[] script = new byte[request.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(request, 0, script, i * request.length, request.length);
    }
    return script;
  }

  /** Returns the parts of the loop that events are recorded of. */
  RecordedLoop recorded() {
    return new RecordedLoop(Objects.requireNonNull(connections), Objects.requireNonNull(exchanges));
  }

  /** Returns the bytes that one turn writes. */
  public byte[] recordTurn() {
    ByteArrayOutputStream bytes = socket.record();
    poller.run(1);
    socket.stopRecording();
    return bytes.toByteArray();
  }

  /** Makes turns; returns the bytes that were written. */
  public long run(long turns) {
    long before = socket.bytesWritten();
    poller.run(turns);
    return socket.bytesWritten() - before;
  }

  /** Ends the loop. */
  public void close() throws InterruptedException {
    loop.stop(
        () -> {
          if (connections != null) {
            connections.close(CloseReason.SHUTDOWN);
          }
        });
    loop.join();
  }

  private void open(Stage stage, int requestBytes, int depth) throws IOException {
    if (stage == Stage.LOOP) {
      poller.tell(new CopyLoop(socket, prebuilt(), depth));
      return;
    }
    RequestParser parser = parser();
    Protocol protocol =
        switch (stage) {
          case LOOP, CONNECTION -> new PrebuiltReply((bytes, from, to) -> requestBytes, prebuilt());
          case PARSER -> {
            RequestHead head = new RequestHead();
            yield new PrebuiltReply(
                (bytes, from, to) -> parser.parse(bytes, from, to, head), prebuilt());
          }
          case PLAINTEXT -> http1(parser, Codec::answer);
          case JSON -> http1(parser, new JsonHandler());
        };
    group().open(socket, protocol);
  }

  private static RequestParser parser() {
    return new RequestParser(ParserLimits.DEFAULT, ScannerKind.best());
  }

  private ConnectionGroup group() {
    ConnectionGroup group = new ConnectionGroup(loop, LIMITS);
    connections = group;
    return group;
  }

  private Http1 http1(RequestParser parser, Handler handler) {
    return new Http1(context(handler), parser, "Peregrine", false);
  }

  private ExchangeContext context(Handler handler) {
    return new ExchangeContext(
        loop, handler, LIMITS, null, ErrorRenderer.PLAIN, new ExchangeReuse(0));
  }

  /** Sends each message back. */
  private static final class EchoListener implements WebSocketListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      socket.sendText(text);
    }
  }

  private static void answer(Request ignored, Response response) {
    response.contentType(ContentType.TEXT_PLAIN).send(HELLO);
  }

  /** Returns the content of the response. */
  static byte[] hello() {
    return HELLO.clone();
  }

  private static MemorySegment prebuilt() {
    byte[] bytes = PREBUILT.getBytes(StandardCharsets.US_ASCII);
    MemorySegment segment = Arena.global().allocate(bytes.length);
    return segment.copyFrom(MemorySegment.ofArray(bytes));
  }
}
