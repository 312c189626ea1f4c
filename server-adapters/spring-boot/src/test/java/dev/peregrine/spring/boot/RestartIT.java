package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import reactor.core.publisher.Mono;

/** Applications that are started and stopped many times, as DevTools does it. */
@Timeout(300)
class RestartIT {
  private static final int RESTARTS = 20;

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("peregrine"))
        .collect(Collectors.toSet());
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long descriptors() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }

  /** Runs the shop once, loaded by a loader of its own, which is returned. */
  private static WeakReference<ClassLoader> runOnce(int round) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (OwnLoader loader =
        new OwnLoader(Shop.class.getName()::equals, OwnLoader.locationOf(Shop.class))) {
      thread.setContextClassLoader(loader);
      List<Class<?>> sources = List.of(loader.loadClass(Shop.class.getName()));
      try (App app = App.start(sources, "spring.main.lazy-initialization=true")) {
        assertThat(app.get("/items/" + round).statusCode()).isEqualTo(200);
      }
      return new WeakReference<>(loader);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void leavesNothing() throws Exception {
    try (App app = App.start()) { // which begins the threads that Reactor keeps
      assertThat(app.get("/slow").statusCode()).isEqualTo(200);
    }
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    long bytes = 0;
    long open = 0;
    for (int i = 0; i < RESTARTS; i++) {
      loaders.add(runOnce(i));
      for (Thread left : threads()) {
        assertThat(left.join(Duration.ofMinutes(2))).as(left.getName()).isTrue();
      }
      bytes = i == 0 ? directBytes() : bytes;
      open = i == 0 ? descriptors() : open;
    }
    assertThat(descriptors()).isLessThan(open + RESTARTS);
    // The last loader may be in a cache. A server that starts before system calls are linked has
    // memory that the collector returns. The client of the test and the JDK keep buffers of each
    // thread that has used a channel.
    collectUntil(() -> loaders.stream().filter(one -> one.get() != null).count(), 1, "loaders");
    collectUntil(RestartIT::directBytes, bytes + 1024 * 1024, "direct bytes");
  }

  /** Runs the collector until at most {@code max} are left. */
  private static void collectUntil(LongSupplier left, long max, String what) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (left.getAsLong() > max) {
      assertThat(System.nanoTime()).as("%s %s", left.getAsLong(), what).isLessThan(end);
      System.gc();
    }
  }

  @Test
  void startsAgainAfterAStop() {
    PeregrineReactiveWebServerFactory factory = new PeregrineReactiveWebServerFactory(0);
    factory.setShutdown(Shutdown.GRACEFUL);
    WebServer server = factory.getWebServer((request, response) -> Mono.empty());
    for (int i = 0; i < RESTARTS; i++) {
      server.start();
      assertThat(server.getPort()).isPositive();
      server.start(); // has no effect
      if (i % 2 == 0) {
        CompletableFuture<GracefulShutdownResult> result = new CompletableFuture<>();
        server.shutDownGracefully(result::complete);
        assertThat(result.join()).isEqualTo(GracefulShutdownResult.IDLE);
      }
      server.stop();
      server.stop();
      assertThat(server.getPort()).isEqualTo(-1);
    }
    server.destroy();
  }
}
