package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServingJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that a JVM loads to serve a request without any optional feature. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnusedFeaturesIT {
  private String loaded = "";

  @BeforeAll
  void serveARequest(@TempDir Path folder) throws Exception {
    loaded =
        ServingJvm.run(
            folder, ServingJvm.NATIVE, "-Xlog:class+load", "-cp", ServingJvm.classPath());
  }

  @Test
  void theLogNamesTheClassesThatAreUsed() {
    assertThat(loaded)
        .contains(" dev.peregrine.server.http1.Http1 ")
        .contains(" dev.peregrine.server.exchange.Exchange ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http.coding.",
        "http.files.",
        "http.filter.",
        "http.multipart.",
        "http.route.",
        "http.websocket.",
        "parser.hpack.",
        "parser.multipart.",
        "proxy.",
        "server.HandOver",
        "server.Health",
        "server.SystemdNotifier",
        "server.accesslog.",
        "server.handover.",
        "server.http2.",
        "server.loop.heap.",
        "server.metrics.",
        "server.proxy.",
        "server.testing.",
        "server.tls.",
        "server.websocket.",
        "tls."
      })
  void loadsNoClassOfAFeatureThatIsOff(String feature) {
    assertThat(loaded.lines()).noneMatch(line -> line.contains(" dev.peregrine." + feature));
  }
}
