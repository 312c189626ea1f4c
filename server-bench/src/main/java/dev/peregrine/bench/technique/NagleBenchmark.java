package dev.peregrine.bench.technique;

import dev.peregrine.http.Handler;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A request and its response over a loopback connection whose server has Nagle's algorithm on or
 * off. The client's system delays its acknowledgements, as systems do.
 */
@Warmup(iterations = 15) // so that a whole server is compiled
public class NagleBenchmark extends Technique {
  private static final int BUFFER_BYTES = 4096;
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n";
  private static final String CONTENT = "Hello, World!";
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 13\r\n\r\n";
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  /** Whether small writes wait for the acknowledgement of earlier ones. */
  public enum Kind {
    /** They do, which is the default of systems. */
    NAGLE,
    /** They don't. */
    NO_DELAY
  }

  /** The ways in which a response leaves. */
  public enum Sent {
    /** A plain server writes the head, then the content. */
    TWO_WRITES,
    /** Peregrine: a response of known length. */
    WHOLE,
    /** Peregrine: two pieces, with a flush between them. */
    STREAMED,
    /** Peregrine: 100 (Continue), then the response. */
    CONTINUED
  }

  @Param Kind form;
  @Param Sent response;

  private final ByteBuffer received = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private @Nullable HttpServer server;
  private @Nullable Thread plain;
  private SocketChannel client;
  private ByteBuffer request;
  private ByteBuffer content;
  private int responseBytes;

  /** Starts the server and checks its response. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    client = SocketChannel.open(response == Sent.TWO_WRITES ? startPlain() : start());
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    request = direct(response == Sent.CONTINUED ? POST : GET);
    content = direct(CONTENT);
    String answer = learn();
    check(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.contains("World!"), answer);
    responseBytes = answer.length();
    if (form == Kind.NAGLE) {
      TcpOption.turnNagleOn(client);
    }
    checkEqual(responseBytes, exchange());
    SettledServer.settle(this::exchange);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException, InterruptedException {
    client.close();
    if (server != null) {
      server.close();
    }
    if (plain != null) {
      plain.join();
    }
  }

  /** Sends the request, waits for all of the response. */
  @Benchmark
  public int exchange() throws IOException {
    send(request);
    if (response == Sent.CONTINUED) {
      receive(CONTINUE.length());
      send(content);
    }
    receive(responseBytes);
    return received.position();
  }

  private InetSocketAddress start() {
    Handler handler =
        switch (response) {
          case STREAMED ->
              (request, response) -> {
                ResponseStream out = response.stream();
                out.write(CONTENT.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                out.write(CONTENT.getBytes(StandardCharsets.US_ASCII));
                out.complete();
              };
          case CONTINUED ->
              (request, response) ->
                  request.body().receiveAll(CONTENT.length(), all -> response.send(all));
          default -> (request, response) -> response.text(CONTENT);
        };
    server = SettledServer.start(handler);
    return server.address();
  }

  /** A server without HTTP: it answers whatever one read brings. */
  private InetSocketAddress startPlain() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    plain = Thread.ofPlatform().daemon().start(() -> answerInTwoWrites(listener));
    return (InetSocketAddress) listener.getLocalAddress();
  }

  private static void answerInTwoWrites(ServerSocketChannel listener) {
    ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    ByteBuffer head = direct(HEAD);
    ByteBuffer content = direct(CONTENT);
    try (listener;
        SocketChannel accepted = listener.accept()) {
      accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
      while (accepted.read(in.clear()) >= 0) {
        accepted.write(head.clear());
        accepted.write(content.clear());
      }
    } catch (IOException closed) {
      // the measurement is over
    }
  }

  private String learn() throws IOException {
    send(request);
    if (response == Sent.CONTINUED) {
      receive(CONTINUE.length());
      send(content);
    }
    String end = response == Sent.STREAMED ? "0\r\n\r\n" : CONTENT;
    String text = "";
    received.clear();
    while (!text.endsWith(end)) {
      check(client.read(received) >= 0, "closed after: " + text);
      text = StandardCharsets.ISO_8859_1.decode(received.duplicate().flip()).toString();
    }
    return text;
  }

  private void send(ByteBuffer bytes) throws IOException {
    client.write(bytes.clear());
  }

  private void receive(int bytes) throws IOException {
    received.clear().limit(bytes);
    while (received.hasRemaining()) {
      check(client.read(received) >= 0, "closed");
    }
  }

  private static ByteBuffer direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }
}
