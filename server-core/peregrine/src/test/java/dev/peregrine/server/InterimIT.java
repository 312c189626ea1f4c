package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interim responses of the application (RFC 9110 section 15.2, RFC 8297). */
final class InterimIT {
  private static final String LINK = "</style.css>; rel=preload; as=style";

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void sendsEarlyHintsWhileTheHandlerWorks() {
    CountDownLatch seen = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.earlyHints(LINK, "</a.js>; rel=preload; as=script");
                  seen.await();
                  response.header("Link", LINK).text("page");
                }));
    RawClient client = servers.connect(server).send(Requests.get("/"));

    RawResponse hints = client.read();
    assertThat(hints.status()).isEqualTo(103);
    assertThat(hints.headers("Link")).containsExactly(LINK, "</a.js>; rel=preload; as=script");
    assertThat(hints.headers("Content-Length")).isEmpty();
    seen.countDown();

    RawResponse page = client.read();
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers("Link")).containsExactly(LINK);
    assertThat(page.text()).isEqualTo("page");
  }

  @Test
  void severalPrecedeAResponseOfTheEventLoopThroughAFilter() {
    HttpServer server =
        servers.start(
            Compression.of(
                (request, response) -> {
                  response.interim(102, PreparedFields.NONE);
                  response.interim(199, PreparedFields.of("X-Progress", "half"));
                  response.text("done");
                }));
    RawClient client = servers.connect(server).send(Requests.get("/"));

    assertThat(client.read().status()).isEqualTo(102);
    assertThat(client.read().header("X-Progress")).isEqualTo("half");
    assertThat(client.read().text()).isEqualTo("done");
  }

  /** On any thread, because a failure in a later turn would fail the response. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("NullAway") // null is the program's mistake
  void nullIsRejectedByTheCall(boolean blocking) {
    Handler handler =
        (request, response) -> {
          assertThatNullPointerException().isThrownBy(() -> response.interim(103, null));
          assertThatNullPointerException().isThrownBy(() -> response.onComplete(null));
          assertThatNullPointerException()
              .isThrownBy(() -> response.onLoopAfter(Duration.ZERO, null));
          response.text("fine");
        };
    HttpServer server = servers.start(blocking ? Handlers.blocking(handler) : handler);

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("fine");
  }

  @OnlyHttp1("HTTP/1.0")
  @Test
  void areNotSentToClientsOfHttp10() {
    HttpServer server =
        servers.start((request, response) -> response.earlyHints(LINK).text("page"));
    RawClient client = servers.connect(server).send("GET / HTTP/1.0\r\n\r\n");

    assertThat(client.read().text()).isEqualTo("page");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 99, 100, 101, 200, 1000})
  void haveOnlyInterimStatuses(int status) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> response.interim(status, PreparedFields.NONE));
              response.text("ok");
            });

    assertThat(servers.connect(server).send(Requests.get("/")).read().text()).isEqualTo("ok");
  }

  @Test
  void haveNoFieldsThatBreakTheirLines() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> response.earlyHints("<a>\r\nX: y"));
              response.text("ok");
            });

    assertThat(servers.connect(server).send(Requests.get("/")).read().text()).isEqualTo("ok");
  }

  @Test
  void areAnErrorOnceTheResponseHasBegun() {
    Handler late =
        (request, response) -> {
          if (request.pathIs("/stream")) {
            try (var out = response.outputStream()) {
              assertThatIllegalStateException().isThrownBy(() -> response.earlyHints(LINK));
              out.write('a');
            }
          } else {
            response.text("a");
            assertThatIllegalStateException().isThrownBy(() -> response.earlyHints(LINK));
          }
        };
    RawClient client = servers.connect(servers.start(late));

    assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("a");
    assertThat(client.send(Requests.get("/stream")).read().text()).isEqualTo("a");
  }
}
