package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import example.BlockingTexts;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A listener that blocks, where it may or on the loop by mistake. */
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
@Timeout(60)
final class BlockedListenerIT {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");

  @Parameter Setup setup;

  private final BlockingTexts method = new BlockingTexts();

  private GrpcServices services() {
    return GrpcServices.builder()
        .executor(setup.executor())
        .add(
            ServerServiceDefinition.builder(TestService.NAME)
                .addMethod(TestService.ECHO, ServerCalls.asyncUnaryCall(method))
                .build())
        .build();
  }

  private static String echo(ManagedChannel channel, String text) {
    return ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, text);
  }

  @Test
  void stopsNoNeighbourUnlessItKeepsTheLoopAndIsNamedThen() throws Exception {
    Reports reports = new Reports();
    LOGGER.addHandler(reports);
    try (HttpServer server = setup.start(services())) {
      ManagedChannel slow = setup.connect(server);
      ManagedChannel neighbour = setup.connect(server);
      assertThat(echo(neighbour, "before")).isEqualTo("before");
      Future<String> blocked =
          ClientCalls.futureUnaryCall(TestService.call(slow, TestService.ECHO), "block");
      assertThat(method.begun.take()).isEqualTo("block");

      if (setup.isOnLoop()) {
        reports.awaitNameOf("POST /test.Texts/Echo", BlockingTexts.class);
      } else {
        for (int i = 0; i < 10; i++) {
          assertThat(echo(neighbour, "neighbour")).isEqualTo("neighbour");
        }
      }

      method.go.countDown();
      assertThat(blocked.get()).isEqualTo("block");
      assertThat(echo(slow, "after")).isEqualTo("after");
      assertThat(echo(neighbour, "after")).isEqualTo("after");
      slow.shutdownNow();
      neighbour.shutdownNow();
    } finally {
      LOGGER.removeHandler(reports);
    }
  }

  /** The loop gets another thread meanwhile. */
  @Test
  void stopsNoNeighbourWhileItComputesOnItsLoop() throws Exception {
    Assumptions.assumeTrue(setup.isCarried());
    try (HttpServer server = setup.start(services())) {
      ManagedChannel slow = setup.connect(server);
      ManagedChannel neighbour = setup.connect(server);
      Future<String> computing =
          ClientCalls.futureUnaryCall(TestService.call(slow, TestService.ECHO), "compute");
      assertThat(method.begun.take()).isEqualTo("compute");

      assertThat(echo(neighbour, "neighbour")).isEqualTo("neighbour");
      assertThat(echo(slow, "the same connection")).isEqualTo("the same connection");

      method.go.countDown();
      assertThat(computing.get()).isEqualTo("compute");
      slow.shutdownNow();
      neighbour.shutdownNow();
    }
  }

  @Test
  void runsOnTheThreadOfItsLoopIfThatCarriesIt() throws Exception {
    Assumptions.assumeTrue(setup.isCarried());
    try (HttpServer server = setup.start(services())) {
      ManagedChannel channel = setup.connect(server);
      assertThat(echo(channel, "thread")).contains("@" + server.name() + "-loop-0");
      channel.shutdownNow();
    }
  }

  /** The lines of the server's log. */
  private static final class Reports extends Handler {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    void awaitNameOf(String request, Class<?> code) throws InterruptedException {
      String line = lines.take();
      while (!line.contains(request) || !line.contains(code.getName())) {
        line = lines.take();
      }
    }

    @Override
    public void publish(LogRecord record) {
      lines.add(record.getMessage() + " " + record.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
