package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.accesslog.AccessLog.Format;
import dev.peregrine.testing.AllocationProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.file.Path;
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
    AllocationProbe probe = new AllocationProbe();
    try (AccessLog log = AccessLog.builder(dir.resolve("access.log")).format(format).build()) {
      HttpServer server =
          servers.start(
              Routes.builder().get("/x/{name}", probe).build(),
              options -> options.exchangeListener(log));
      RawClient client = servers.connect(server);
      probe.awaitNothing(client, request("/x/first"), request("/x/second"));
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
