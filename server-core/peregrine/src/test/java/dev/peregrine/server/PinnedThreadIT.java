package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handlers;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log of handlers that keep their carrier thread. */
final class PinnedThreadIT {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final String PLACE = "PinnedThreadIT.compare:";

  @RegisterExtension final Servers servers = new Servers();

  /** Waits within a call of native code, as libraries with callbacks do. */
  @SuppressWarnings("restricted") // tests have native access
  private static void waitInNativeCode() {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle sort =
          LINKER.downcallHandle(
              LINKER.defaultLookup().find("qsort").orElseThrow(),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  PinnedThreadIT.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment callback =
          LINKER.upcallStub(
              compare,
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
              arena);
      sort.invokeExact(arena.allocate(8), 2L, 4L, callback);
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  @SuppressWarnings("unused") // called by qsort
  private static int compare(MemorySegment one, MemorySegment other) {
    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    return 0;
  }

  @Test
  void isWrittenOnceForEachPlace() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  waitInNativeCode();
                  response.text("sorted");
                }),
            options -> options.logPinned(Duration.ofMillis(10)));
    RawClient client = servers.connect(server);
    List<String> lines = new ArrayList<>(); // a slow machine adds other places, as it loads classes
    Await.until(
        () -> "the pinned thread is logged: " + lines,
        () -> {
          assertThat(client.send(Requests.get("/")).read().status()).isEqualTo(200);
          lines.addAll(warnings());
          return lines.stream().anyMatch(line -> line.contains(PLACE));
        });
    client.send(Requests.get("/")).read();
    server.close(); // after the events before it

    lines.addAll(warnings());
    assertThat(lines).allMatch(line -> line.contains("kept its carrier thread for"));
    assertThat(lines).filteredOn(line -> line.contains(PLACE)).hasSize(1);
  }

  private List<String> warnings() {
    return servers.log().take(Level.WARNING).stream().map(LogRecord::getMessage).toList();
  }

  @Test
  void needsAMillisecondAtLeast() {
    HttpServerBuilder builder = Peregrine.builder();

    assertThat(builder.logPinned(Duration.ofMillis(1))).isSameAs(builder);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.logPinned(Duration.ofNanos(999_999)))
        .withMessageContaining("logPinned");
  }
}
