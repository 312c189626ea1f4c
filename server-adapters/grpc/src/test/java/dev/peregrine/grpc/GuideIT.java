package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of the guide. */
@Timeout(60)
final class GuideIT {
  private final TestService greeter = new TestService();
  private final int port = 0;

  @Test
  void servesCallsBesideOtherHandlers() {
    Routes routes =
        Routes.builder().get("/page", (request, response) -> response.text("a page")).build();
    // snippet: grpc-beside
    Handler handler = GrpcServices.of(greeter).beside(routes);
    HttpServer server = Peregrine.builder().port(port).handler(handler).start();
    // end
    expectServed(server.port());
    server.close();
  }

  @Test
  void servesCallsInPlaceOfAnotherServer() throws Exception {
    // snippet: grpc-server
    Server server = PeregrineServerBuilder.forPort(port).addService(greeter).build().start();
    // end
    expectServed(server.getPort());
    server.shutdownNow();
  }

  private static void expectServed(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
    assertThat(ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, "a"))
        .isEqualTo("a");
    channel.shutdownNow();
  }
}
