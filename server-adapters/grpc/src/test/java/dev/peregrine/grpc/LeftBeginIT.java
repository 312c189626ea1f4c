package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that end before they begin, because their begin takes long. */
@Timeout(60)
final class LeftBeginIT {
  private static final byte[] CANCEL = {0, 0, 0, 8};
  private static final int PING = 6;

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch returned = new CountDownLatch(1);

  /** The loop gets another thread, which serves the reset of the client. */
  @ParameterizedTest
  @EnumSource(names = {"NIO", "EPOLL"})
  void startsNoServiceForACallThatItsClientHasReset(TransportKind transport) throws Exception {
    GrpcServices services =
        GrpcServices.builder()
            .executor(GrpcServices.ON_LOOP)
            .addStreamTracerFactory(new SlowTracers())
            .intercept(new Starts())
            .add(new TestService())
            .build();
    Handler handler =
        (request, response) -> {
          try {
            services.handle(request, response);
          } catch (Throwable thrown) {
            events.add("thrown: " + thrown);
            throw thrown;
          } finally {
            returned.countDown();
          }
        };
    try (HttpServer server =
            Peregrine.builder()
                .transport(transport)
                .loops(1)
                .daemon(true)
                .port(0)
                .handler(handler)
                .start();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      RawCall call = RawCall.of("/test.Texts/Chat");
      client.getOutputStream().write(call.bytes());
      begun.await();
      byte[] ping = "pingpong".getBytes(StandardCharsets.US_ASCII);
      RawCall reset =
          RawCall.empty().frame(RawCall.RST_STREAM, 0, 1, CANCEL).frame(PING, 0, 0, ping);
      client.getOutputStream().write(reset.bytes());
      awaitText(client.getInputStream(), "pingpong"); // so the reset was served

      go.countDown();
      returned.await();

      assertThat(events).containsExactly("closed: CANCELLED");
    }
  }

  private static void awaitText(InputStream in, String text) throws Exception {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as(seen.toString()).isNotNegative();
      seen.append((char) next);
    }
  }

  /** Tracers that a call waits for before it begins. */
  private final class SlowTracers extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      begun.countDown();
      try {
        go.await();
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
      return new ServerStreamTracer() {
        @Override
        public void streamClosed(Status status) {
          events.add("closed: " + status.getCode());
        }
      };
    }
  }

  /** Notes which services start. */
  private final class Starts implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      events.add("started");
      return next.startCall(call, headers);
    }
  }
}
