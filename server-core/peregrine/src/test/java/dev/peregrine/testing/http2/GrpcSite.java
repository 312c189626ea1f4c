package dev.peregrine.testing.http2;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gRPC service by hand: each path is a method, and its handler writes messages and trailers. */
public final class GrpcSite implements Handler {
  /** The size of each message of the method {@code count}. */
  public static final int COUNTED_BYTES = 1000;

  private static final ContentType GRPC = ContentType.of("application/grpc");
  private static final int CONTENT_BYTES_MAX = 8 << 20;
  private static final int OK = 0;
  private static final int NOT_FOUND = 5;
  private static final int UNIMPLEMENTED = 12;

  /** The number of messages that {@code count} and {@code endless} have written. */
  public final AtomicInteger written = new AtomicInteger();

  /** The causes that handlers were given for calls that can't be completed. */
  public final BlockingQueue<IOException> aborted = new LinkedBlockingQueue<>();

  /** The deadlines that clients have sent. */
  public final BlockingQueue<String> deadlines = new LinkedBlockingQueue<>();

  private final Handler sum = Handlers.blocking(this::sum);
  private final Handler talk = Handlers.blocking(this::talk);
  private final Handler endlessBlocking = Handlers.blocking(this::endlessBlocking);

  @Override
  public void handle(Request request, Response response) throws Exception {
    response.contentType(GRPC);
    switch (request.path()) {
      case "/test.Site/echo" ->
          request
              .body()
              .receiveAll(
                  CONTENT_BYTES_MAX,
                  content -> {
                    ResponseStream out = response.stream();
                    end(out.write(GrpcMessages.framed(GrpcMessages.only(content))), OK, "");
                  });
      case "/test.Site/count" ->
          request
              .body()
              .receiveAll(
                  CONTENT_BYTES_MAX,
                  content -> {
                    String count =
                        new String(GrpcMessages.only(content), StandardCharsets.US_ASCII);
                    new Counting(response.async().stream(), Integer.parseInt(count)).run();
                  });
      case "/test.Site/endless" -> {
        response.async().onAbort(aborted::add);
        new Counting(response.stream(), Integer.MAX_VALUE).run();
      }
      case "/test.Site/endlessBlocking" -> endlessBlocking.handle(request, response);
      case "/test.Site/sum" -> sum.handle(request, response);
      case "/test.Site/talk" -> talk.handle(request, response);
      case "/test.Site/hang" -> {
        deadlines.add(String.valueOf(request.header("grpc-timeout")));
        response.async().onAbort(aborted::add);
      }
      case "/test.Site/refuse" ->
          response
              .header("grpc-status", "" + NOT_FOUND)
              .header("grpc-message", "no%20such%20thing")
              .send();
      case "/test.Site/fail" ->
          end(
              response.stream().write(GrpcMessages.framed(Requests.bytes("first"))),
              NOT_FOUND,
              "nothing%20more");
      case "/test.Site/failAtOnce" -> end(response.stream(), NOT_FOUND, "nothing%20at%20all");
      default -> response.header("grpc-status", "" + UNIMPLEMENTED).send();
    }
  }

  /** Writes messages as fast as the client takes them. */
  private final class Counting implements Runnable {
    private final ResponseStream out;
    private final int count;
    private int next;

    Counting(ResponseStream out, int count) {
      this.out = out;
      this.count = count;
    }

    @Override
    public void run() {
      while (next < count) {
        if (!out.isWritable()) {
          out.onWritable(this);
          return;
        }
        out.write(GrpcMessages.framed(numbered(next++)));
        written.incrementAndGet();
      }
      end(out, OK, "");
    }
  }

  /** Returns the message of that number. */
  public static byte[] numbered(int number) {
    String text = number + " ";
    return Requests.bytes(text + "x".repeat(COUNTED_BYTES - text.length()));
  }

  private void endlessBlocking(Request request, Response response) throws IOException {
    ResponseStream out = response.stream();
    try {
      for (int i = 0; ; i++) {
        out.awaitWritable();
        out.write(GrpcMessages.framed(numbered(i)));
        written.incrementAndGet();
      }
    } catch (IOException cancelled) {
      aborted.add(cancelled);
      throw cancelled;
    }
  }

  /** Adds up the numbers of all messages. */
  private void sum(Request request, Response response) throws IOException {
    InputStream in = request.body().inputStream();
    long sum = 0;
    for (byte @Nullable [] each = GrpcMessages.read(in);
        each != null;
        each = GrpcMessages.read(in)) {
      sum += Long.parseLong(new String(each, StandardCharsets.US_ASCII));
    }
    end(response.stream().write(GrpcMessages.framed(Requests.bytes("" + sum))), OK, "");
  }

  /** Answers each message before it reads the next one. */
  private void talk(Request request, Response response) throws IOException {
    InputStream in = request.body().inputStream();
    ResponseStream out = response.stream();
    try {
      for (byte @Nullable [] each = GrpcMessages.read(in);
          each != null;
          each = GrpcMessages.read(in)) {
        out.awaitWritable();
        out.write(GrpcMessages.framed(Requests.join(Requests.bytes("re: "), each)));
        out.flush();
      }
    } catch (IOException cancelled) {
      aborted.add(cancelled);
      throw cancelled;
    }
    end(out, OK, "");
  }

  private static void end(ResponseStream out, int status, String message) {
    out.trailer("grpc-status", "" + status);
    if (!message.isEmpty()) {
      out.trailer("grpc-message", message);
    }
    out.complete();
  }
}
