package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that end their connection while a call waits for its response. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Setup.class,
    names = {"NIO_LOOP", "NIO_CARRIED", "EPOLL_THREADS"})
@Timeout(60)
final class VanishedClientIT {
  @Parameter Setup setup;

  @Test
  void cancelsACallWhoseClientEndsItsConnection() throws Exception {
    TestService service = new TestService();
    GrpcServices services = GrpcServices.builder().executor(setup.executor()).add(service).build();
    try (HttpServer server = setup.start(services);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      byte[] call = RawCall.of("/test.Texts/Echo").message(RawCall.END_STREAM, "silence").bytes();
      client.getOutputStream().write(call);
      assertThat(service.events.take()).isEqualTo("silent");

      client.shutdownOutput(); // as the end of its process does

      assertThat(service.events.take()).isEqualTo("cancelled");
      assertThat(client.getInputStream().readAllBytes()).isNotEmpty(); // the connection ends
    }
  }
}
