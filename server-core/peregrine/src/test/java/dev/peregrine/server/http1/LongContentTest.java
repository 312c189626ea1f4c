package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pieces in which long content is passed on, which never include bytes after it. */
final class LongContentTest {
  private static final int USUAL_BYTES_MAX = 64 * 1024;
  private static final byte[] CONTENT = Requests.content(1_000_000);

  private final List<Integer> pieces = Collections.synchronizedList(new ArrayList<>());
  private final ScriptedServer server = new ScriptedServer(this::handle);

  private void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/async")) {
      response.async();
    }
    request
        .body()
        .receive(
            Listeners.of(
                data -> {
                  pieces.add(data.length());
                  if (request.pathIs("/paused") && pieces.size() == 2) {
                    request.body().pause();
                  }
                },
                () -> response.send(new byte[] {'a'})));
  }

  @AfterEach
  void end() {
    server.checkIdleMemory();
    server.close();
  }

  @Test
  void comesInLongPiecesOnTheLoop() {
    String responses = send(Requests.post("/", CONTENT));

    assertThat(responses).containsOnlyOnce("HTTP/1.1 200 OK");
    assertThat(sum()).isEqualTo(CONTENT.length);
    assertThat(pieces).hasSizeLessThan(8);
  }

  @Test
  void comesInUsualPiecesForAnotherThread() {
    send(Requests.post("/async", CONTENT));

    assertThat(sum()).isEqualTo(CONTENT.length);
    assertThat(pieces).allMatch(bytes -> bytes <= USUAL_BYTES_MAX);
  }

  @Test
  void comesInUsualPiecesInChunks() {
    send(Requests.chunkedPost("/", CONTENT, CONTENT.length, Map.of()));

    assertThat(sum()).isEqualTo(CONTENT.length);
    assertThat(pieces).allMatch(bytes -> bytes <= USUAL_BYTES_MAX);
  }

  @Test
  void consumesNoByteAfterIt() {
    byte[] request = Requests.post("/", CONTENT);

    String responses = send(Requests.join(request, request, Requests.get("/")));

    assertThat(responses.split("HTTP/1.1 200 OK", -1)).hasSize(4);
    assertThat(sum()).isEqualTo(2 * CONTENT.length);
  }

  @Test
  void leavesAUsualReadToHoldWhenPaused() {
    ScriptedSocket socket = server.connect();
    long idleBytes = bytesInUse();
    socket.receive(Requests.post("/paused", CONTENT));

    server.serve(socket);

    assertThat(pieces).hasSize(2);
    assertThat(pieces.get(1)).isGreaterThan(USUAL_BYTES_MAX);
    assertThat(bytesInUse() - idleBytes).isBetween(1L, (long) USUAL_BYTES_MAX);
    server.loop.run(() -> server.connections.get(0).close(CloseReason.CLIENT_RESET));
  }

  private String send(byte[] bytes) {
    return server.exchange(bytes);
  }

  private int sum() {
    return pieces.stream().mapToInt(Integer::intValue).sum();
  }

  private long bytesInUse() {
    return server.loop.call(() -> server.loop.loop().bufferPool().bytesInUse());
  }
}
