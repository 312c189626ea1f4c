package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.route.Routes;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A browser loads a page with many images by HTTP/2 over TLS, if a browser is installed. */
class BrowserHttp2IT {
  private static final int IMAGES = 200;
  private static final int IMAGE_BYTES = 20_000;

  /** One to load the page, and one that the browser may open ahead. */
  private static final int CONNECTIONS_MAX = 2;

  private static final ContentType SVG = ContentType.of("image/svg+xml");
  private static final String PAGE =
      """
      <!doctype html><html><body>IMAGES<output></output><script>
        addEventListener("load", () => {
          const images = [...document.images];
          const loaded = images.filter(one => one.complete && one.naturalWidth == 8).length;
          const entries = ["navigation", "resource"].flatMap(
              type => performance.getEntriesByType(type));
          const protocols = entries.map(entry => entry.nextHopProtocol);
          document.querySelector("output").textContent = loaded + " images, "
              + entries.length + " entries by " + [...new Set(protocols)].join(" and ");
        });
      </script></body></html>
      """;

  private static Optional<Browser> browser = Optional.empty();

  private final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet(); // that have requested
  private final Map<String, HttpVersion> requests = new ConcurrentHashMap<>();

  @BeforeAll
  static void find() throws InterruptedException {
    browser = Browser.find();
    assumeTrue(browser.isPresent(), "no Chromium on the PATH");
  }

  /** The first engine is OpenSSL's, where it is there. */
  @ParameterizedTest
  @EnumSource(names = {"AUTO", "JDK"})
  void loadsAPageWithManyImagesOverOneConnection(TlsEngineKind engine) throws Exception {
    Tls tls = Tls.builder().engine(engine).selfSigned("localhost").build();
    try (HttpServer server = Peregrine.builder().handler(site()).with(tls).start()) {
      String url = "https://localhost:" + server.port() + "/";
      String page = browser.orElseThrow().open(url);

      assertThat(page).contains(IMAGES + " images, " + (IMAGES + 1) + " entries by h2<");
      assertThat(requests.keySet()).hasSizeGreaterThanOrEqualTo(IMAGES + 1);
      assertThat(Set.copyOf(requests.values())).containsExactly(HttpVersion.HTTP_2);
      assertThat(clients).hasSizeBetween(1, CONNECTIONS_MAX);
    }
  }

  private Handler site() {
    StringBuilder images = new StringBuilder();
    for (int i = 0; i < IMAGES; i++) {
      images.append("<img src=\"/image/").append(i).append("\">");
    }
    String page = PAGE.replace("IMAGES", images);
    String comment = "<!-- " + " ".repeat(IMAGE_BYTES) + " -->";
    byte[] image =
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\">" + comment + "</svg>")
            .getBytes(StandardCharsets.US_ASCII);
    Handler routes =
        Routes.builder()
            .get("/", (request, response) -> response.html(page))
            .get("/image/{number}", (request, response) -> response.contentType(SVG).send(image))
            .build();
    return (request, response) -> {
      requests.put(request.path(), request.version());
      clients.add(request.remoteAddress());
      routes.handle(request, response);
    };
  }
}
