package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.GivenBuffers;
import dev.peregrine.testing.http2.Http2Frame;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Content for a window that can't open any more, because the client has ended its side. */
final class StalledContentTest {
  private static final byte[] CONTENT = new byte[200_000]; // more than the first window

  private final GivenBuffers buffers = new GivenBuffers();
  private final CompletableFuture<Response> waiting = new CompletableFuture<>();

  @RegisterExtension
  final ScriptedHttp2 client =
      new ScriptedHttp2(
          ServerLimits.DEFAULT, (request, response) -> waiting.complete(response.async()));

  @Test
  void isDroppedAtOnceIfItComesAfterTheEnd() {
    Http2Connection ignored = client.open(null, Http2Frame.settings());
    client.request(1, "/");
    client.receiveEnd();

    waiting.join().send(buffers.direct(CONTENT), buffers);

    buffers.expectAll(); // without any time that passes for the client
    assertThat(client.isClosed()).isTrue();
  }
}
