package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.HttpServer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Opens the page in a browser, if one is installed. */
class HomePageIT {
  @Test
  void showsTheRoutesAndWhatTheEchoAnswers() throws Exception {
    Optional<Browser> browser = Browser.find();
    assumeTrue(browser.isPresent(), "no Chromium on the PATH");
    try (HttpServer server = RoutesTest.start()) {
      String page = browser.orElseThrow().open("http://127.0.0.1:" + server.port() + "/");

      assertThat(page).contains("/plaintext", "/json", "/echo");
      assertThat(page).contains(">Hello, falcon — ¡hola!</output>").contains("200 · 25 bytes");
    }
  }
}
