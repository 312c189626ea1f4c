package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.OutputStream;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content that is not as long as the handler declared (RFC 9110 section 8.6). */
final class DeclaredLengthIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void answers500WhenContentIsNotAsLongAsDeclared(FailingHandlerIT.Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) ->
                    response.header("Content-Length", request.path().substring(1)).text("four")));
    for (String path : List.of("/3", "/5", "/0", "/100000")) {
      RawClient client = servers.connect(server).get(path);
      assertThat(client.read().status()).isEqualTo(500);
      servers.log().expectOne(Level.WARNING, "Content-Length was set to " + path.substring(1));
    }
    assertThat(servers.connect(server).get("/4").read().text()).isEqualTo("four");
  }

  @ParameterizedTest
  @EnumSource
  void cutsTheResponseShortWhenAStreamEndsTooEarly(FailingHandlerIT.Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) ->
                    response.header("Content-Length", "10").stream()
                        .write(Requests.bytes("only 9 by"))
                        .complete()));

    servers.connect(server).get("/").expectCutShort();

    servers
        .log()
        .expectOne(Level.WARNING, "Content-Length was set to 10, but the content has 9 bytes");
    servers.expectUnharmed(server);
  }

  @ParameterizedTest
  @EnumSource
  void rejectsAWriteOfMoreThanWasDeclared(FailingHandlerIT.Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  ResponseStream stream = response.header("Content-Length", "10").stream();
                  stream.write(Requests.bytes("123456789"));
                  assertThatThrownBy(() -> stream.write(Requests.bytes("01")))
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("10");
                  stream.write(Requests.bytes("0")).complete();
                }));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("1234567890");
    assertThat(client.get("/").read().text()).isEqualTo("1234567890");
  }

  @ParameterizedTest
  @EnumSource
  void neverSendsMoreThanWasDeclared(FailingHandlerIT.Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) ->
                    response.header("Content-Length", "10").stream()
                        .write(Requests.bytes("123456789"))
                        .write(Requests.bytes("01"))
                        .complete()));

    servers.connect(server).get("/").expectCutShort();

    servers
        .log()
        .expectOne(Level.WARNING, "Content-Length was set to 10, but the content has 11 bytes");
  }

  @ParameterizedTest
  @EnumSource
  void cutsTheConnectionWhenAnOutputStreamIsNotAsLongAsDeclared(FailingHandlerIT.Where where) {
    HttpServer server =
        servers.start(
            where.run(
                (request, response) -> {
                  response.header("Content-Length", request.path().substring(1));
                  try (OutputStream out = response.outputStream()) {
                    out.write(Requests.content(100_000));
                  }
                }));
    for (String path : List.of("/99999", "/100001")) {
      servers.connect(server).get(path).expectCutShort();
      servers.log().expectOne(Level.WARNING, "Content-Length was set to " + path.substring(1));
    }
    assertThat(servers.connect(server).get("/100000").read().content())
        .isEqualTo(Requests.content(100_000));
  }
}
