package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exception that handlers get for content which the server rejects. */
final class ContentRejectedIT {
  private static final ServerLimits SMALL = Servers.LIMITS.toBuilder().bodyBytesMax(10).build();

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "false, 14, 413, content of more than 10 bytes",
    "true, 14, 413, content of more than 10 bytes"
  })
  void isTheCauseForTheListenerOrReader(
      boolean blocking, String chunkSize, int status, String message) throws Exception {
    expectCause(blocking, chunkSize, status, message);
  }

  @OnlyHttp1("chunks")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isTheCauseIfAChunkIsMalformed(boolean blocking) throws Exception {
    expectCause(blocking, "zz", 400, "invalid chunk size");
  }

  private void expectCause(boolean blocking, String chunkSize, int status, String message)
      throws Exception {
    CompletableFuture<Throwable> cause = new CompletableFuture<>();
    BodyListener listener =
        new BodyListener() {
          @Override
          public void onData(Bytes data) {}

          @Override
          public void onEnd() {}

          @Override
          public void onError(IOException thrown) {
            cause.complete(thrown);
          }
        };
    Handler reading =
        blocking
            ? Handlers.blocking(
                (request, response) -> {
                  try {
                    response.send(request.body().readAll(1000));
                  } catch (IOException thrown) {
                    cause.complete(thrown.getCause());
                    throw thrown;
                  }
                })
            : (request, response) -> request.body().receive(listener);
    RawClient client = servers.connect(servers.start(reading, SMALL));
    client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            + (chunkSize + "\r\n" + "x".repeat(20) + "\r\n0\r\n\r\n"));

    RawResponse answer = client.read();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(cause.get())
        .isInstanceOfSatisfying(
            ContentRejectedException.class, why -> assertThat(why.status()).isEqualTo(status))
        .hasMessageContaining(message);
  }
}
