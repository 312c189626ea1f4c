package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Response;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Handlers that wait for Lettuce, a client of Redis, without blocking. */
final class LettuceIT {
  private static final int REQUESTS = 20;

  @RegisterExtension final Servers servers = new Servers();

  /** Counts what is handed over to the loop. */
  private static final class Counting extends ForwardingResponse {
    private final AtomicInteger handOvers;

    Counting(Response wrapped, AtomicInteger handOvers) {
      super(wrapped);
      this.handOvers = handOvers;
    }

    @Override
    public void onLoop(Runnable work) {
      handOvers.incrementAndGet();
      super.onLoop(work);
    }
  }

  @Test
  void callsBackOnTheLoopAfterOneHandOver() throws IOException {
    try (RedisStandIn redis = new RedisStandIn()) {
      checkCalls(redis.port());
    }
  }

  @Test
  void callsBackOnTheLoopWithRedisItself(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path program = redisServer();
    assumeTrue(program != null, "needs redis-server on the PATH");
    int port = FreePort.ofLoopback();
    Process redis =
        new ProcessBuilder(
                String.valueOf(program),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--save",
                "",
                "--dir",
                directory.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader log = redis.inputReader(StandardCharsets.UTF_8)) {
      String line = log.readLine();
      while (line != null && !line.contains("eady to accept connections")) {
        line = log.readLine();
      }
      assertThat(line).as("redis-server has started").isNotNull();
      checkCalls(port);
    } finally {
      redis.destroy();
      redis.waitFor();
    }
  }

  private void checkCalls(int port) {
    RedisURI address =
        RedisURI.Builder.redis("127.0.0.1", port).withTimeout(Duration.ofMinutes(2)).build();
    RedisClient client = RedisClient.create(address);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisAsyncCommands<String, String> redis = connection.async();
      assertThat(redis.set("key", "value").toCompletableFuture().join()).isEqualTo("OK");
      checkCalls(redis);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  private void checkCalls(RedisAsyncCommands<String, String> redis) {
    AtomicInteger handOvers = new AtomicInteger();
    CompletableFuture<Thread> loopThread = new CompletableFuture<>();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    RawClient caller =
        servers.connect(
            servers.start(
                (request, response) -> {
                  loopThread.complete(Thread.currentThread());
                  LoopExecutor loop = LoopExecutor.of(new Counting(response.async(), handOvers));
                  redis
                      .get("key")
                      .whenCompleteAsync(
                          (value, failure) -> {
                            threads.add(Thread.currentThread());
                            if (failure != null) {
                              response.fail(failure);
                            } else {
                              response.text(value);
                            }
                          },
                          loop);
                },
                options -> options.loops(1)));

    for (int i = 0; i < REQUESTS; i++) {
      assertThat(caller.get("/").read().text()).isEqualTo("value");
    }

    assertThat(handOvers).hasValue(REQUESTS);
    assertThat(threads).hasSize(REQUESTS).containsOnly(loopThread.join());
  }

  private static @Nullable Path redisServer() {
    String path = String.valueOf(System.getenv("PATH"));
    for (String directory : path.split(Pattern.quote(File.pathSeparator), -1)) {
      Path program = Path.of(directory, "redis-server");
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    return null;
  }
}
