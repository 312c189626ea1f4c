package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that fail for lack of descriptors, which clients can cause. */
final class DescriptorShortageIT {
  private static final String TEXT = "Too many open files";

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void are503AndOneLineThatNamesTheLimit() {
    List<Exception> failures =
        List.of(
            new IOException("accept4: Too many open files (errno 24)"),
            new FileNotFoundException("/dev/null (Too many open files)"),
            new FileSystemException("/dev/null", null, TEXT),
            new UncheckedIOException(new IOException(TEXT)),
            new IllegalStateException(new IOException(TEXT)));
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw failures.get(Integer.parseInt(request.path().substring(1)));
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    for (int i = 0; i < failures.size(); i++) {
      assertThat(client.get("/" + i).read().status()).as("%s", failures.get(i)).isEqualTo(503);
    }
    assertThat(servers.log().take(Level.SEVERE)).isEmpty();
    List<LogRecord> lines = servers.log().take(Level.WARNING);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst().getMessage()).contains("LimitNOFILE");
    assertThat(lines.getFirst().getThrown()).isNull();
  }

  @Test
  void areNotMistakenForOtherFailures() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new IllegalStateException(TEXT);
            });
    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }
}
