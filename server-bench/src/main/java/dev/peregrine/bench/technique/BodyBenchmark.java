package dev.peregrine.bench.technique;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A whole server reads content from a loopback connection and adds up some of its bytes. */
@Fork(
    jvmArgsAppend = {
      "--add-modules",
      "jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED" // so that the loop carries virtual threads
    })
@Warmup(iterations = 15) // so that a whole server is compiled
public class BodyBenchmark extends Technique {
  private static final int BODY_BYTES_MAX = 1024 * 1024;
  private static final int READ_BYTES = 8 * 1024;
  private static final int LOOKED_AT = 64; // one byte in 64
  private static final byte VALUE = 3;

  /** The ways in which a handler reads content. */
  public enum Kind {
    /** As a stream, copied into the handler's array on a virtual thread by the JDK's scheduler. */
    STREAM,
    /** As a stream, on a virtual thread that the event loop carries: {@code Handlers.blocking}. */
    BLOCKING_STREAM,
    /** Whole, copied into one array. */
    WHOLE,
    /** Where it was received, piece by piece. */
    VIEWS
  }

  @Param Kind form;

  @Param({"16384", "1048576"})
  int bodyBytes;

  private HttpServer server;
  private Client client;

  /** Starts the server and checks its sum. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    Handler handler =
        switch (form) {
          case STREAM -> BodyBenchmark::startThread;
          case BLOCKING_STREAM -> Handlers.blocking(BodyBenchmark::readStream);
          case WHOLE -> BodyBenchmark::readWhole;
          case VIEWS -> (request, response) -> request.body().receive(new Summing(response));
        };
    server = SettledServer.start(handler);
    String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
    byte[] request =
        Arrays.copyOf(head.getBytes(StandardCharsets.US_ASCII), head.length() + bodyBytes);
    Arrays.fill(request, head.length(), request.length, VALUE);
    client = new Client(server.address(), request);
    String answer = client.learn("sum=\\d+;", 1);
    check(answer.endsWith("sum=" + VALUE * bodyBytes / LOOKED_AT + ";"), answer);
    SettledServer.settle(client::exchange);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    client.close();
    server.close();
  }

  /** Sends the content, waits for the sum. */
  @Benchmark
  public int post() throws IOException {
    return client.exchange();
  }

  private static void startThread(Request request, Response response) {
    response.async();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                readStream(request, response);
              } catch (IOException lost) {
                response.fail(lost);
              }
            });
  }

  private static void readStream(Request request, Response response) throws IOException {
    byte[] piece = new byte[READ_BYTES];
    int sum = 0;
    InputStream in = request.body().inputStream();
    for (int n = in.readNBytes(piece, 0, READ_BYTES);
        n > 0;
        n = in.readNBytes(piece, 0, READ_BYTES)) {
      sum += sum(piece, n);
    }
    answer(response, sum);
  }

  private static void readWhole(Request request, Response response) {
    request
        .body()
        .receiveAll(BODY_BYTES_MAX, content -> answer(response, sum(content, content.length)));
  }

  private static int sum(byte[] bytes, int length) {
    int sum = 0;
    for (int i = 0; i < length; i += LOOKED_AT) {
      sum += bytes[i];
    }
    return sum;
  }

  private static void answer(Response response, int sum) {
    response.text("sum=" + sum + ";");
  }

  private static final class Summing implements BodyListener {
    private final Response response;
    private int sum;
    private int skip; // bytes of the next piece before the first one to add

    Summing(Response response) {
      this.response = response;
    }

    @Override
    public void onData(Bytes data) {
      int length = data.length();
      int at = skip;
      for (; at < length; at += LOOKED_AT) {
        sum += data.get(at);
      }
      skip = at - length;
    }

    @Override
    public void onEnd() {
      answer(response, sum);
    }
  }
}
