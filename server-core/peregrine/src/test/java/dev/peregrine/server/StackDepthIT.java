package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The path of a request through the server, frame by frame. A longer one needs a reason, and its
 * line here and in docs/ARCHITECTURE.md.
 */
final class StackDepthIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void callsTheHandlerFromTheLoopInAFewFrames() throws Exception {
    BlockingQueue<List<String>> frames = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              frames.add(ownFrames());
              response.text("here");
            });
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      client.get("/").read(); // not pipelined, so that each request has its own turn
      expectFromTheLoop(
          frames.take(),
          "Connection.onReady",
          "CurrentTurn.serve",
          "Http1.onInput",
          "Exchange.handle");
    }
  }

  @Test
  void passesContentOnFromTheLoopInAFewFrames() throws Exception {
    BlockingQueue<List<String>> frames = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) ->
                request
                    .body()
                    .receive(
                        new BodyListener() {
                          @Override
                          public void onData(Bytes data) {
                            frames.add(ownFrames());
                          }

                          @Override
                          public void onEnd() {
                            response.send();
                          }
                        }));

    servers.connect(server).post("/", new byte[10]).read();

    expectFromTheLoop(
        frames.take(),
        "Connection.onReady",
        "CurrentTurn.serve",
        "Http1.onInput",
        "Http1Stream.advance",
        "Http1Stream.receive",
        "RequestContent.receive");
  }

  private static void expectFromTheLoop(List<String> frames, String... afterTheLoop)
      throws IOException {
    List<String> expected = new ArrayList<>();
    expected.add(
        Servers.TRANSPORT == TransportKind.EPOLL
            ? "EpollPoller.notifyReady"
            : "NioPoller.notifyReady");
    expected.addAll(List.of(afterTheLoop));
    assertThat(frames).isEqualTo(expected);
    assertThat(Files.readString(Repository.root().resolve("docs").resolve("ARCHITECTURE.md")))
        .contains(expected.stream().map(frame -> "`" + frame + "`").toList());
  }

  /** Returns the server's frames between its loop and this test's handler, outermost first. */
  private static List<String> ownFrames() {
    List<String> frames = new ArrayList<>();
    for (StackTraceElement frame : Arrays.asList(new Throwable().getStackTrace()).reversed()) {
      String type = frame.getClassName();
      if (type.startsWith("dev.peregrine.") && !type.contains("Test") && !type.contains("IT")) {
        frames.add(type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName());
      }
    }
    return frames.subList(frames.indexOf("EventLoop.run") + 1, frames.size());
  }
}
