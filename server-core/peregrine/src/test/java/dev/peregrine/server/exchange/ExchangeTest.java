package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The life of exchanges on in-memory streams. */
final class ExchangeTest {
  private final List<String> events = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();

  private static StreamServer server(Handler handler) {
    return new StreamServer(handler);
  }

  @Test
  void givesARequestToItsHandler() {
    Handler handler =
        (request, response) ->
            response.text(
                request.methodName()
                    + " "
                    + request.path()
                    + " "
                    + request.query()
                    + " "
                    + request.header("X-One"));
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.request("PUT", "/a?b=c", 0, "X-One: 1");

      assertThat(stream.text()).isEqualTo("PUT /a b=c 1");
    }
  }

  @Test
  void carriesManyExchangesOnOneConnectionInAnyOrder() {
    Handler handler = (request, response) -> responses.add(response.async());
    try (StreamServer server = server(handler)) {
      MemoryStream first = server.get("/1");
      MemoryStream second = server.get("/2");
      MemoryStream third = server.get("/3");

      responses.get(2).text("third");
      server.settle();
      responses.get(0).text("first");
      server.settle();

      assertThat(third.ended).isTrue();
      assertThat(first.ended).isTrue();
      assertThat(second.head).isNull();
      responses.get(1).text("second");
      server.settle();
      assertThat(List.of(first.text(), second.text(), third.text()))
          .containsExactly("first", "second", "third");
    }
  }

  @Test
  void usesViewsAgainUntilOneLeavesTheLoopAndExchangesBehindThemLater() {
    List<Request> views = new ArrayList<>();
    Handler handler =
        (request, response) -> {
          views.add(request);
          if (request.path().equals("/async")) {
            response.async();
          }
          response.text(request.path());
        };
    try (StreamServer server = server(handler)) {
      MemoryStream first = server.get("/first");
      assertThat(first.reusable).isTrue();
      List<MemoryStream> before = getMany(server);
      assertThat(before).contains(first);
      List<Request> viewsBefore = List.copyOf(views);
      assertThat(Set.copyOf(viewsBefore)).hasSizeLessThan(viewsBefore.size());

      MemoryStream left = server.get("/async");
      assertThat(left.reusable).isFalse();

      views.clear();
      List<MemoryStream> after = getMany(server);
      assertThat(after).contains(first).doesNotContain(left);
      assertThat(views).doesNotHaveDuplicates().doesNotContainAnyElementsOf(viewsBefore);
    }
  }

  /** As if both had found at the same moment that it hasn't begun. */
  @Test
  void breaksOffAResponseThatTwoThreadsSend() {
    Handler handler = (request, response) -> responses.add(response.async());
    try (StreamServer server = server(handler)) {
      MemoryStream first = server.get("/1");
      responses.getFirst().stream().write(Requests.bytes("one")).flush();
      server.settle();
      String head = first.head;
      assertThat(head).isNotNull();

      server.turn(() -> first.exchange().sender.sendWhole(Requests.bytes("two")));

      assertThat(first.brokenOff).isEqualTo(CloseReason.APPLICATION_FAILED);
      assertThat(first.head).isEqualTo(head);
      assertThat(first.text()).isEqualTo("one");
      server.log.expectOne(Level.SEVERE, "two threads have sent the response");
    }
  }

  private static List<MemoryStream> getMany(StreamServer server) {
    List<MemoryStream> used = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      MemoryStream stream = server.get("/" + i);
      assertThat(stream.text()).isEqualTo("/" + i);
      used.add(stream);
    }
    return used;
  }

  @Test
  void rejectsTheUseOfAnExchangeThatHasEnded() {
    AtomicReference<Request> kept = new AtomicReference<>();
    Handler handler =
        (request, response) -> {
          kept.set(request);
          response.send();
        };
    try (StreamServer server = server(handler)) {
      server.get("/");

      server.turn(
          () ->
              assertThatIllegalStateException()
                  .isThrownBy(() -> kept.get().path())
                  .withMessageContaining("has ended"));
    }
  }

  @Test
  void keepsTheHeadOfAnExchangeThatContinuesAfterItsTurn() {
    AtomicReference<Request> kept = new AtomicReference<>();
    Handler handler =
        (request, response) -> {
          kept.set(request);
          responses.add(response.async());
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/kept", "X-Kept: value");

      responses.getFirst().text(kept.get().path() + " " + kept.get().header("X-Kept"));
      server.settle();

      assertThat(stream.text()).isEqualTo("/kept value");
    }
  }

  @Test
  void servesHandlersThatBlock() {
    Handler handler =
        Handlers.blocking(
            (request, response) -> {
              byte[] content = request.body().readAll(100);
              try (var out = response.contentType(ContentType.TEXT_PLAIN_UTF_8).outputStream()) {
                out.write(content);
              }
            });
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.request("POST", "/", HttpStream.UNKNOWN_LENGTH);
      server.send(stream, "some", " content", "");

      Await.until("the response has come", () -> server.loop.call(() -> stream.ended));
      assertThat(stream.text()).isEqualTo("some content");
      assertThat(stream.length).isEqualTo(12);
    }
  }

  @Test
  void answersAFailureBeforeTheHeadByAnError() {
    Handler handler =
        (request, response) -> {
          response.header("ETag", "\"1\"").header("X-Kept", "1");
          throw new IllegalArgumentException("scripted");
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.head).startsWith("500 ").contains("X-Kept: 1").doesNotContain("ETag");
      assertThat(stream.ended).isTrue();
      assertThat(stream.loadShed).isFalse();
      assertThat(server.log.take(Level.SEVERE)).isNotEmpty();
    }
  }

  @Test
  void breaksTheStreamOffAfterTheHead() {
    Handler handler =
        (request, response) -> {
          response.onAbort(cause -> events.add("aborted"));
          response.stream().write(Requests.bytes("begun"));
          throw new IllegalArgumentException("scripted");
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.text()).isEqualTo("begun");
      assertThat(stream.ended).isFalse();
      assertThat(stream.brokenOff).isEqualTo(CloseReason.APPLICATION_FAILED);
      assertThat(events).containsExactly("aborted");
    }
  }

  @Test
  void shedsLoadWithoutMemory() {
    Handler handler =
        (request, response) -> {
          throw new OutOfMemoryError("scripted");
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.head).startsWith("503 ");
      assertThat(stream.loadShed).isTrue();
    }
  }

  @Test
  void answers500IfAHandlerForgetsToRespond() {
    try (StreamServer server = server((request, response) -> {})) {
      assertThat(server.get("/").head).startsWith("500 ");
    }
  }

  @Test
  void answers503IfTheResponseIsLate() {
    Handler handler = (request, response) -> responses.add(response.async());
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      server.turn(
          () -> {
            assertThat(stream.exchange().keep()).isNotEqualTo(Exchange.NOT_DUE);
            stream.exchange().onResponseLate();
          });

      assertThat(stream.head).startsWith("503 ");
      assertThat(stream.ended).isTrue();
      assertThatIllegalStateException().isThrownBy(() -> responses.getFirst().text("too late"));
    }
  }

  @Test
  void notifiesWhatWaitsWhenTheConnectionIsLost() throws Exception {
    CountDownLatch failed = new CountDownLatch(2);
    Handler handler =
        (request, response) -> {
          response.onAbort(cause -> events.add("aborted"));
          ResponseStream content = response.async().stream();
          var body = request.body();
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      body.inputStream().read();
                    } catch (IOException | IllegalStateException lost) {
                      failed.countDown();
                    }
                  });
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 100; i++) {
                        content.write(new byte[1024 * 1024]);
                        content.awaitWritable();
                      }
                    } catch (IOException | IllegalStateException lost) {
                      failed.countDown();
                    }
                  });
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.request("POST", "/", 10);
      server.turn(stream::takeNothing);

      server.lose();

      failed.await();
      assertThat(events).containsExactly("aborted");
      assertThat(stream.ended).isFalse();
    }
  }

  @Test
  void notifiesTheHandlerOfItsClientsEndAndOfTheShutdown() {
    Handler handler =
        (request, response) -> {
          response.onClientClosed(() -> events.add("client closed"));
          response.onShutdown(() -> events.add("shutdown"));
          responses.add(response.async());
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      assertThat(stream.clientWatched).isTrue();

      server.turn(stream::endClient);
      server.turn(stream.exchange()::onShutdown);

      assertThat(events).containsExactly("client closed", "shutdown");
      responses.getFirst().send();
      server.settle();
      assertThat(stream.ended).isTrue();
    }
  }

  @Test
  void callsAsManyCallbacksAsWereAdded() {
    int many = 50_000; // too many for frames of one stack
    AtomicInteger calls = new AtomicInteger();
    Handler handler =
        (request, response) -> {
          for (int i = 0; i < many; i++) {
            response.onClientClosed(calls::incrementAndGet);
            response.onShutdown(calls::incrementAndGet);
            response.onAbort(cause -> calls.incrementAndGet());
            response.onComplete(outcome -> calls.incrementAndGet());
          }
          response.async();
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      server.turn(stream::endClient);
      server.turn(stream.exchange()::onShutdown);
      assertThat(calls).hasValue(2 * many);

      server.lose();
      server.settle();
      assertThat(calls).hasValue(4 * many);
    }
  }
}
