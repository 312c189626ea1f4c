package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.WaitingSite;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requirements of RFC 9113 that need more than one frame to show. */
final class Http2RulesIT {
  private static final int WINDOW = 65_535;
  private static final int UNKNOWN_CODE = 0x7FFF_FFFF;

  @RegisterExtension final Servers servers = new Servers();

  private final WaitingSite site = new WaitingSite();
  private HttpServer server;
  private Http2Client client;

  @BeforeEach
  void start() {
    server = servers.start(this::handle);
    client = servers.connectHttp2(server);
  }

  private void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/fields" ->
          response
              .header("X-Upper", "A")
              .header("Keep-Alive", "timeout=5")
              .header("Proxy-Connection", "keep-alive")
              .header("Upgrade", "h2c")
              .header("TE", "trailers")
              .header("Connection", "close")
              .text("fields");
      case "/trailer" ->
          request
              .body()
              .receiveAll(
                  100_000, content -> response.text("" + request.body().trailer("x-checked")));
      default -> site.handle(request, response);
    }
  }

  // ---- settings ----

  @Test
  void announcesNoPush() {
    assertThat(client.setting(Http2Frame.ENABLE_PUSH, 0)).isZero();
  }

  @Test
  void takesTheSettingsOfAFrameInTheirOrder() {
    client
        .withoutCredit()
        .declare(
            Http2Frame.INITIAL_WINDOW_SIZE, 0,
            Http2Frame.HEADER_TABLE_SIZE, 0,
            Http2Frame.INITIAL_WINDOW_SIZE, 1000,
            Http2Frame.HEADER_TABLE_SIZE, 4096,
            Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int stream = client.request("GET", "/large");
    client.awaitHead(stream);
    client.roundTrip().roundTrip();

    assertThat(client.response(stream).content()).hasSize(10);
    client.reset(stream, Http2Code.CANCEL);
  }

  // ---- resets ----

  @Test
  void sendsNothingMoreOnAStreamThatItsClientHasReset() {
    client.withoutCredit();
    int stream = client.request("GET", "/large");
    client.pumpUntil(() -> client.response(stream).content().length == WINDOW);

    client.reset(stream, Http2Code.CANCEL).grant(0, 1 << 20).grant(stream, 1 << 20);

    client.roundTrip().roundTrip();
    assertThat(client.response(stream).content()).hasSize(WINDOW);
    assertThat(client.response(stream).isOver()).isFalse();
    client.expectServed();
  }

  @Test
  void neverAnswersAResetByAReset() {
    int open = client.begin("POST", "/echo");
    int ended = client.get("/").stream();
    int refused = client.requestOf(PlainHpack.literal("X", "upper case"));
    client.expectReset(refused, Http2Code.PROTOCOL_ERROR);

    for (int stream : new int[] {open, ended, refused, open}) {
      client.reset(stream, Http2Code.CANCEL);
    }

    client.roundTrip(); // the client rejects a second reset of a stream
    assertThat(client.response(open).resetCode()).isNull();
    assertThat(client.response(ended).resetCode()).isNull();
    client.expectServed();
  }

  @Test
  void takesUnknownErrorCodes() throws Exception {
    int cancelled = client.request("GET", "/wait");
    int stream = client.request("GET", "/wait");
    byte[] code = ByteBuffer.allocate(4).putInt(UNKNOWN_CODE).array();
    client.send(new Http2Frame(Http2Frame.RST_STREAM, 0, cancelled, code)).expectServed();

    client.send(new Http2Frame(Http2Frame.GOAWAY, 0, 0, Requests.join(new byte[4], code)));

    site.pending().take();
    site.pending().take().text("answered");
    assertThat(client.await(stream).text()).isEqualTo("answered");
    client.expectGoaway(Http2Code.NO_ERROR);
  }

  // ---- the end ----

  /** Requests after the last stream change the table and the window all the same. */
  @Test
  void keepsTableAndWindowInStepAfterTheLastStream() {
    int held = client.begin("POST", "/trailer");
    client.roundTrip();
    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    client.pumpUntil(() -> client.goaways().size() == 2);
    long window = client.windows().toServer(0);

    int late = client.nextStream("POST");
    byte[] block =
        Requests.join(
            PlainHpack.block(client.fields("POST", "/echo")),
            PlainHpack.inserted("x-checked", "yes"));
    client.block(late, block, false);
    byte[] content = Requests.content(Http2Frame.BYTES_MAX);
    for (int sent = 0; sent < window - content.length; sent += content.length) {
      client.send(Http2Frame.data(late, content, false));
    }
    client.expectReset(late, Http2Code.REFUSED_STREAM);

    client.pumpUntil(() -> client.windows().toServer(0) > window / 2);
    client.send(Http2Frame.headers(held, PlainHpack.indexed(62), true));
    assertThat(client.await(held).text()).isEqualTo("yes");
    client.readToEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  // ---- fields ----

  /** The client rejects names with upper case, and fields of connections. */
  @Test
  void sendsNamesInLowerCaseWithoutFieldsOfTheConnection() {
    Http2Response response = client.get("/fields");

    assertThat(response.text()).isEqualTo("fields");
    assertThat(response.header("x-upper")).isEqualTo("A");
    assertThat(response.fields())
        .noneMatch(field -> field.name().matches("connection|upgrade|te|keep.*"));
    client.expectServed(); // in spite of Connection: close
  }
}
