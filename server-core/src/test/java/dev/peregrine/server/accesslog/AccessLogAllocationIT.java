package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.accesslog.AccessLog.Format;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A line of the access log allocates nothing on the event loop, over sockets. */
final class AccessLogAllocationIT {
  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource
  void aLineAllocatesNothing(Format format) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicLong before = new AtomicLong();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    byte[] content = Requests.bytes("ok");
    Handler handler =
        (request, response) -> {
          long now = threads.getCurrentThreadAllocatedBytes();
          if (request.pathIs("/x/second")) {
            least.setPlain(Math.min(least.getPlain(), now - before.getPlain()));
          }
          response.send(content);
          before.setPlain(threads.getCurrentThreadAllocatedBytes());
        };
    try (AccessLog log = AccessLog.builder(dir.resolve("access.log")).format(format).build()) {
      HttpServer server =
          servers.start(
              Routes.builder().get("/x/{name}", handler).build(),
              options -> options.exchangeListener(log));
      RawClient client = servers.connect(server);
      byte[] both = Requests.join(request("/x/first"), request("/x/second"));

      // Only compiled code allocates nothing, and the time until it is compiled depends on the
      // machine.
      Await.until(
          () -> "a line allocates " + least.get() + " bytes",
          () -> {
            for (int i = 0; i < 100; i++) {
              client.send(both);
              assertThat(client.read().status()).isEqualTo(200);
              assertThat(client.read().status()).isEqualTo(200);
            }
            return least.get() == 0;
          });
      assertThat(log.droppedLines()).isZero();
    }
  }

  /** A request with fields that the formats write, one of them to be escaped. */
  private static byte[] request(String target) {
    return Requests.lines(
        "GET " + target + "?query HTTP/1.1",
        "Host: test",
        "User-Agent: \"quoted\"",
        "Referer: http://test/?query",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  }
}
