package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.peregrine.http.Handler;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of RFC 9110 and 9112 that a corpus of requests can't show. */
class RulesIT {
  private static final Handler TEXT = (request, response) -> response.text("ok");
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void sendsNoContentWith205() {
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) -> {
                  response.status(205);
                  if (request.pathIs("/stream")) {
                    response.stream().write(new byte[9]).complete();
                  } else {
                    response.text("not to be seen");
                  }
                }));

    for (String path : new String[] {"/", "/stream"}) {
      RawResponse response = client.get(path).read();
      assertThat(response.header("Content-Length")).isEqualTo("0");
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    }
  }

  @Test
  void sendsNoFramingFieldsInTheSuccessOfConnect() {
    RawClient client = servers.connect(servers.start(TEXT));

    RawResponse response =
        client.send("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\nnot HTTP").read("HEAD");

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("Content-Length")).isNull();
    assertThat(response.header("Transfer-Encoding")).isNull();
    assertThat(response.saysClose()).isTrue();
    client.expectEnd();
  }

  @Test
  void dateIsTheTimeOfTheResponse() {
    RawClient client = servers.connect(servers.start(TEXT));
    for (String request : new String[] {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "rubbish\r\n\r\n"}) {
      Instant begun = Instant.now();
      String date = Objects.requireNonNull(client.send(request).read().header("Date"));
      Instant told = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
      assertThat(told).isBetween(begun.minusSeconds(3), Instant.now().plusSeconds(1));
    }
  }

  @Test
  void switchesProtocolsAfterOfferAndContinue() {
    RawClient client =
        servers.connect(
            servers.start((request, response) -> response.upgrade("chat", new RawEcho())));

    client
        .send("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x/2, Chat\r\n")
        .send("Expect: 100-continue\r\n\r\nGET / HTTP/1.1\r\n\r\n");

    assertThat(client.read("HEAD").status()).isEqualTo(100);
    RawResponse response = client.read("HEAD");
    assertThat(response.status()).isEqualTo(101);
    assertThat(response.header("Upgrade")).isEqualTo("chat");
    assertThat(response.header("Connection")).isEqualTo("Upgrade");
    String rest = "GET / HTTP/1.1\r\n\r\n";
    assertThat(new String(client.readBytes(rest.length()), StandardCharsets.US_ASCII))
        .isEqualTo(rest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other, chat/2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: chat\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive, upgrade\r\nUpgrade: chat\r\n\r\n"
      })
  void switchesToNothingThatWasNotOffered(String request) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    RawClient client =
        servers.connect(
            servers.start(
                (asked, response) -> {
                  try {
                    response.upgrade("chat", new RawEcho());
                  } catch (IllegalArgumentException | IllegalStateException refused) {
                    thrown.set(refused);
                    response.text("no");
                  }
                }));

    assertThat(client.send(request).read().text()).isEqualTo("no");
    assertThat(thrown.get()).isNotNull();
    assertThat(client.get("/").read().status()).isEqualTo(200);
  }

  @Test
  void namesUpgradeInConnection() {
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) -> response.status(426).header("Upgrade", "chat").send()));

    assertThat(client.get("/").read().header("Connection")).isEqualTo("Upgrade");
  }

  @Test
  void callsNoHandlerBeforeTheHeadIsComplete() {
    AtomicInteger calls = new AtomicInteger();
    HttpServer server =
        servers.start(
            (request, response) -> {
              calls.incrementAndGet();
              response.text("ok");
            });
    RawClient first = servers.connect(server).send("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n");
    Await.until("the server has it", () -> server.connectionCount() == 1);
    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(200);

    assertThat(calls).hasValue(1);
    assertThat(first.send("\r\n").read().status()).isEqualTo(200);
  }

  @Test
  void sends100OnlyWhenTheHandlerReads() {
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) ->
                    request.body().receiveAll(9, content -> response.send(content))));

    client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");

    assertThat(client.read().status()).isEqualTo(100);
    assertThat(client.send("ok").read().text()).isEqualTo("ok");
    assertThat(client.get("/").read().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 403})
  void closesWhenItAnsweredWithoutReadingTheExpectedContent(int status) {
    RawClient client =
        servers.connect(
            servers.start((request, response) -> response.status(status).text("no need")));

    client
        .send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 35\r\n\r\n")
        .send("GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");

    RawResponse response = client.read();
    assertThat(response.status()).as("and no 100 before it").isEqualTo(status);
    assertThat(response.saysClose()).isTrue();
    client.expectEnd();
  }

  @Test
  void readsDismissedContentToKeepTheConnection() {
    RawClient client = servers.connect(servers.start(TEXT));

    client.post("/", new byte[10_000]).post("/", new byte[0]);
    client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");

    for (int i = 0; i < 3; i++) {
      assertThat(client.read().saysClose()).isFalse();
    }
  }

  @Test
  void declaresCloseWhenItAnswersAmidLongContent() {
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) ->
                    request
                        .body()
                        .receive(
                            Listeners.of(
                                data -> {
                                  if (!response.isCommitted()) {
                                    response.text("enough");
                                  }
                                },
                                () -> {}))));

    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nbeginning");

    RawResponse response = client.read();
    assertThat(response.text()).isEqualTo("enough");
    assertThat(response.saysClose()).isTrue();
    client.expectEnd();
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 205, 304})
  void acceptsADeclaredLengthWithoutContent(int status) {
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) ->
                    response.status(status).header("Content-Length", "100").send()));

    assertThat(client.get("/").read().status()).isEqualTo(status);
    assertThat(client.get("/").read().status()).isEqualTo(status);
  }

  @Test
  void closesInOrderWhenTooMuchIsLeftUnread() {
    RawClient client = servers.connect(servers.start(TEXT));

    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n");
    client.send(new byte[500_000]);

    assertThat(client.read().saysClose()).isTrue();
    client.expectEnd();
  }

  @ParameterizedTest
  @EnumSource(Leniency.class)
  void isLenientOnlyIfConfigured(Leniency leniency) {
    assumeFalse(Servers.TLS && leniency == Leniency.HTTPS_TARGET, "is always accepted over TLS");
    String target =
        switch (leniency) {
          case RAW_TARGET_CHARACTERS -> "/a[0]|\"b\"";
          case BARE_PERCENT -> "/100%";
          case HTTPS_TARGET -> "https://a/";
        };
    HttpServer strict = servers.start(TEXT);
    HttpServer lenient = servers.start(TEXT, options -> options.lenient(leniency));

    assertThat(servers.connect(strict).get(target).read().status()).isGreaterThanOrEqualTo(400);
    assertThat(servers.connect(lenient).get(target).read().status()).isEqualTo(200);
  }

  @Test
  void rejectsATransferEncodingOfTheHandler() {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    RawClient client =
        servers.connect(
            servers.start(
                (request, response) -> {
                  try {
                    assertThatThrownBy(() -> response.header("Transfer-Encoding", "gzip"))
                        .isInstanceOf(IllegalArgumentException.class);
                  } catch (AssertionError failure) {
                    thrown.set(failure);
                  }
                  response.text("ok");
                }));

    assertThat(client.get("/").read().header("Transfer-Encoding")).isNull();
    assertThat(thrown.get()).isNull();
  }
}
