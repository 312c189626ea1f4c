package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/guide/netty.md. */
final class GuideNettyIT {
  @RegisterExtension final Servers servers = new Servers();

  private record Cache(ByteBuf page) {}

  /** Stands for one of Netty's. */
  private static final class Client {
    Future<String> get(String key) {
      return GlobalEventExecutor.INSTANCE.submit(() -> "value of " + key);
    }
  }

  @Test
  void sendsABuffer() {
    Cache cache = new Cache(Unpooled.copiedBuffer("page", StandardCharsets.UTF_8));
    // snippet: netty-send
    Handler page = (request, response) -> ByteBufs.send(response, cache.page().retainedDuplicate());
    // end
    RawClient client = servers.connect(servers.start(page));

    assertThat(client.get("/").read().text()).isEqualTo("page");
    assertThat(client.get("/").read().text()).isEqualTo("page");
  }

  @Test
  void sharesTheAllocator() {
    HttpServerBuilder builder =
        Peregrine.builder().port(0).handler((request, response) -> response.text("served"));
    // snippet: netty-memory
    builder.memory(NettyMemory.of(PooledByteBufAllocator.DEFAULT));
    // end
    try (HttpServer server = builder.start();
        RawClient client = RawClient.connect(server.address())) {
      assertThat(client.get("/").read().text()).isEqualTo("served");
      assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isPositive();
    }
  }

  @Test
  void callsBackOnTheEventLoop() {
    Client client = new Client();
    RawClient caller =
        servers.connect(
            servers.start((request, response) -> answer(client, request.path(), response)));

    assertThat(caller.get("/key").read().text()).isEqualTo("value of /key");
  }

  /** Stands for Lettuce's commands. */
  private static final class Redis {
    CompletionStage<String> get(String key) {
      return CompletableFuture.supplyAsync(
          () -> {
            if ("bad".equals(key)) {
              throw new HttpException(404, "no such key");
            }
            return "value of " + key;
          });
    }
  }

  @Test
  void completesAStageOnTheEventLoop() {
    Redis redis = new Redis();
    RawClient caller =
        servers.connect(
            servers.start(
                (request, response) -> {
                  String key = request.path().substring(1);
                  // snippet: netty-stage
                  LoopExecutor loop = LoopExecutor.of(response.async());
                  response.async(() -> redis.get(key).thenAcceptAsync(response::text, loop));
                  // end
                }));

    assertThat(caller.get("/key").read().text()).isEqualTo("value of key");
    assertThat(caller.get("/bad").read().status()).isEqualTo(404);
  }

  private static void answer(Client client, String key, Response response) {
    // snippet: netty-futures
    LoopExecutor loop = LoopExecutor.of(response.async());
    loop.relay(client.get(key)).addListener(done -> response.text(String.valueOf(done.getNow())));
    // end
  }
}
