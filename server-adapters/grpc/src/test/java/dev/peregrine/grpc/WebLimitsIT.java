package dev.peregrine.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.config.ServerLimits;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of calls over HTTP/1.1. */
@Timeout(60)
final class WebLimitsIT {
  /** Notes calls that are cancelled. */
  private static final class Noting implements ServerInterceptor {
    final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Context.current().addListener(_ -> cancelled.add("cancelled"), Runnable::run);
      return next.startCall(call, headers);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NIO", "EPOLL"})
  void endsACallWhoseClientStopsWithinItsContent(TransportKind transport) throws Exception {
    Noting noting = new Noting();
    GrpcServices services =
        GrpcServices.builder().intercept(noting).add(new TestService()).web().build();
    ServerLimits limits = ServerLimits.builder().requestRateGrace(Duration.ofMillis(100)).build();
    try (HttpServer server =
            Peregrine.builder()
                .transport(transport)
                .loops(1)
                .port(0)
                .limits(limits)
                .handler(services)
                .start();
        Socket socket = new Socket("localhost", server.port())) {
      socket
          .getOutputStream()
          .write(
              """
              POST /test.Texts/Echo HTTP/1.1\r
              Host: localhost\r
              Content-Type: application/grpc-web\r
              Content-Length: 10\r
              \r
              \0\0\0\0\5"""
                  .getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 408 ");
      assertThat(noting.cancelled.take()).isEqualTo("cancelled");
    }
  }
}
