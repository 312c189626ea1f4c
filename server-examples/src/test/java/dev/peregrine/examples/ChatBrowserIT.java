package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.http.websocket.SlowReceiver;
import dev.peregrine.http.websocket.Topic;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.tls.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two pages of the {@link Chat} talk with each other, if a browser is installed. They lie in one
 * window, because the browser of the test prints one window.
 */
class ChatBrowserIT {
  private static final int MESSAGES = 5;

  /** Sends as a person would: fills in the form of the one page, and looks at both. */
  private static final String WINDOW =
      """
      <!doctype html><html><body>
      <iframe src="/one/" width="600" height="400"></iframe>
      <iframe src="/two/" width="600" height="400"></iframe>
      <output></output><script>
        const pages = () => [...document.querySelectorAll("iframe")].map(f => f.contentDocument);
        const pause = () => fetch("/pause");
        const until = async condition => { while (!condition()) await pause(); };
        const lines = page => [...page.querySelectorAll("li")].map(line => line.textContent);
        const painted = page => {
          const plot = page.getElementById("plot");
          const pixels = plot.getContext("2d").getImageData(0, 0, plot.width, plot.height).data;
          return pixels.filter((value, i) => i % 4 == 2 && value == 200).length; // the bars' blue
        };
        const connected = page => page.getElementById("state")?.textContent == "connected";
        const say = (page, name, text) => {
          page.getElementById("name").value = name;
          page.getElementById("text").value = text;
          page.querySelector("button").click();
        };
        addEventListener("load", async () => {
          const [one, two] = pages();
          await until(() => connected(one) && connected(two));
          const before = painted(two);
          for (let i = 0; i < MESSAGES; i++) {
            say(one, "ada", "hello " + i);
            await until(() => lines(two).length == 2 * i + 1);
            say(two, "bob", "<b>hi</b> " + i);
            await until(() => lines(one).length == 2 * i + 2);
          }
          const same = JSON.stringify(lines(one)) == JSON.stringify(lines(two));
          document.querySelector("output").textContent =
              "plot " + before + " " + (painted(two) > 0 ? "moved" : "stood still") + ", "
              + (same ? "same" : "different") + ": " + lines(two).slice(0, 2).join(" | ");
        });
      </script></body></html>
      """;

  /** Over TLS, the browser opens the sockets by HTTP/2 on the connection that it has. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoPagesTalkWithEachOtherAndTheirPlotsMove(boolean tls) throws Exception {
    Optional<Browser> browser = Browser.find();
    if (browser.isEmpty()) {
      System.out.println("SKIPPED: there is no Chromium here that works");
      Assumptions.abort("no Chromium");
    }
    Topic everyone = new Topic(SlowReceiver.SKIP);
    Handler chat = Chat.handler(everyone);
    String window = WINDOW.replace("MESSAGES", String.valueOf(MESSAGES));
    Routes routes =
        Routes.builder()
            .get("/", (request, response) -> response.html(window))
            .mount("/one", chat)
            .mount("/two", chat)
            .get("/pause", (request, response) -> later(response.async()))
            .build();
    Set<HttpVersion> versions = ConcurrentHashMap.newKeySet();
    Handler handler =
        (request, response) -> {
          if (request.isUpgrade()) {
            versions.add(request.version());
          }
          routes.handle(request, response);
        };
    HttpServerBuilder builder = Peregrine.builder().port(0).handler(handler);
    if (tls) {
      builder.with(Tls.builder().selfSigned("localhost").build());
    }
    try (HttpServer server = builder.start()) {
      String url = (tls ? "https" : "http") + "://localhost:" + server.port() + "/";
      String page = browser.orElseThrow().open(url);

      assertThat(page).contains("plot 0 moved, same: ada: hello 0 | bob: &lt;b&gt;hi&lt;/b&gt; 0");
    }
    assertThat(versions).containsExactly(tls ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1);
    assertThat(everyone.deliveredCount()).isEqualTo(2 * 2 * MESSAGES);
    assertThat(everyone.skippedCount()).isZero();
  }

  /** Answers so late that the browser's time passes slowly, but its sockets don't wait long. */
  private static void later(Response response) {
    response.onLoopAfter(Duration.ofMillis(20), () -> response.text(""));
  }
}
