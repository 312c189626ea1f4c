package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.testing.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/**
 * The end of an exchange as {@code onComplete} reports it, with the status and request data that
 * are readable then.
 */
final class ExchangeEndTest {
  private static final AttributeKey<String> USER = AttributeKey.of("user");

  private final List<String> ends = new CopyOnWriteArrayList<>();

  /** Returns a handler that records the end of each of its exchanges. */
  private Handler noted(Handler handler) {
    return (request, response) -> {
      request.attribute(USER, "me");
      response.onComplete(
          outcome ->
              ends.add(
                  String.join(
                      " ",
                      outcome.name(),
                      String.valueOf(response.status()),
                      request.path(),
                      request.header("X-One"),
                      request.attribute(USER))));
      handler.handle(request, response);
    };
  }

  private StreamServer server(Handler handler) {
    return new StreamServer(noted(handler));
  }

  private static MemoryStream get(StreamServer server, String path) {
    return server.get(path, "X-One: 1");
  }

  @Test
  void isCompletedWhenTheResponseAndTheContentAre() {
    try (StreamServer server = server((request, response) -> response.status(201).text("a"))) {
      get(server, "/a");
      assertThat(ends).containsExactly("COMPLETED 201 /a 1 me");
    }
  }

  @Test
  void isNotReachedBeforeTheResponseIsTaken() {
    AtomicReference<ResponseStream> out = new AtomicReference<>();
    Handler handler = (request, response) -> out.set(response.async().stream());
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      server.turn(() -> out.get().write(new byte[10]));
      assertThat(ends).isEmpty();

      server.turn(() -> out.get().complete());
      assertThat(ends).containsExactly("COMPLETED 200 /a 1 me");
    }
  }

  @Test
  void isCompletedByAnErrorOfTheHandlersChoice() {
    Handler handler =
        (request, response) -> {
          throw new HttpException(404, null);
        };
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      assertThat(ends).containsExactly("COMPLETED 404 /a 1 me");
    }
  }

  @Test
  void isAFailureWhenTheHandlerThrows() {
    Handler handler =
        (request, response) -> {
          throw new IllegalStateException("test");
        };
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      assertThat(ends).containsExactly("FAILED 500 /a 1 me");
      assertThat(server.log.take(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void isAFailureWhenAResponseThatHasBegunIsBrokenOff() {
    Handler handler =
        (request, response) -> {
          response.stream().write(new byte[10]);
          throw new HttpException(404, null);
        };
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      assertThat(ends).containsExactly("FAILED 200 /a 1 me");
    }
  }

  @Test
  void isARejectionWhenTheContentIsTooLarge() {
    Handler handler =
        (request, response) ->
            request.body().maxBytes(3).receiveAll(10, content -> response.send(content));
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.request("POST", "/a", HttpStream.UNKNOWN_LENGTH, "X-One: 1");
      server.send(stream, "1234", "");
      assertThat(ends).containsExactly("REJECTED 413 /a 1 me");
    }
  }

  @Test
  void isReadByACallbackThatIsAddedAfterIt() {
    AtomicReference<Runnable> adding = new AtomicReference<>();
    Handler handler =
        (request, response) -> {
          Response async = response.async();
          request.attribute(USER, "me");
          adding.set(
              () ->
                  async.onComplete(
                      outcome ->
                          ends.add(
                              String.join(
                                  " ",
                                  outcome.name(),
                                  request.pathSegments().segment(0),
                                  request.host(),
                                  request.header("X-One"),
                                  request.attribute(USER),
                                  String.valueOf(request.routeTemplate())))));
        };
    try (StreamServer server = new StreamServer(handler)) {
      get(server, "/a");
      server.lose();
      server.turn(() -> adding.get().run());
      assertThat(ends).containsExactly("ABORTED a a 1 me null");
      assertThat(server.log.take(Level.SEVERE)).isEmpty();
    }
  }

  @Test
  void isAnAbortWhenTheConnectionIsLost() {
    Handler handler =
        (request, response) ->
            response.async().status(202).onAbort(cause -> ends.add(response.status() + " abort"));
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      server.lose();
      assertThat(ends).containsExactly("202 abort", "ABORTED 202 /a 1 me");
    }
  }

  @Test
  void isReportedOfABlockingHandlerToo() {
    try (StreamServer server =
        server(Handlers.blocking((request, response) -> response.text("a")))) {
      MemoryStream stream = get(server, "/a");
      Await.until("the exchange has ended", () -> ends.size() == 1);
      server.settle();
      assertThat(stream.text()).isEqualTo("a");
      assertThat(ends).containsExactly("COMPLETED 200 /a 1 me");
    }
  }

  @Test
  void isReportedToEveryCallbackEvenIfAnotherThrows() {
    Handler handler =
        (request, response) -> {
          response.onComplete(
              outcome -> {
                throw new AssertionError("test");
              });
          response.onComplete(outcome -> ends.add("third"));
          response.send();
          response.onComplete(outcome -> ends.add("fourth"));
        };
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      assertThat(ends).containsExactly("COMPLETED 200 /a 1 me", "third", "fourth");
      assertThat(server.log.take(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void isReportedToALaterCallback() {
    AtomicReference<Response> kept = new AtomicReference<>();
    Handler handler = (request, response) -> kept.set(response.async());
    try (StreamServer server = server(handler)) {
      get(server, "/a");
      server.lose();
      kept.get().onComplete(outcome -> ends.add("late " + outcome));
      server.settle();
      assertThat(ends).containsExactly("ABORTED 200 /a 1 me", "late ABORTED");
    }
  }

  @Test
  void canNotBeChangedByItsCallbacks() {
    Handler handler =
        (request, response) -> {
          response.onComplete(
              outcome -> {
                assertThatIllegalStateException().isThrownBy(() -> response.text("more"));
                response.fail(new IllegalStateException("test"));
                response.onLoop(() -> ends.add("never"));
                response.onComplete(again -> ends.add("again " + again));
              });
          response.text("a");
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = get(server, "/a");
      server.settle();
      assertThat(stream.text()).isEqualTo("a");
      assertThat(ends).containsExactly("COMPLETED 200 /a 1 me", "again COMPLETED");
      assertThat(server.log.take(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void leavesNothingToTheNextExchangeOfTheObject() {
    Handler handler =
        (request, response) -> {
          if (request.path().equals("/next")) {
            ends.add(request.attribute(USER) + " " + response.status() + response.headers("A"));
            response.send();
          } else {
            noted((q, r) -> r.status(Outcome.values().length + 200).header("A", "b").send())
                .handle(request, response);
          }
        };
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream first = get(server, "/first");
      for (int i = 0; i < 20; i++) {
        ends.clear();
        MemoryStream next = server.get("/next");
        assertThat(ends).containsExactly("null 200[]");
        if (next.equals(first)) {
          return;
        }
      }
      throw new AssertionError("the stream was not used again");
    }
  }

  @Test
  void showsWhatTheHandlerHasSetSoFar() {
    Handler handler =
        (request, response) -> {
          assertThat(response.status()).isEqualTo(200);
          assertThat(response.header("Content-Type")).isNull();
          response
              .status(404)
              .header("A", "1")
              .addHeader("b", "2")
              .addHeader("a", "3")
              .contentLength(4);
          assertThat(response.status()).isEqualTo(404);
          assertThat(response.header("a")).isEqualTo("1");
          assertThat(response.headers("A")).containsExactly("1", "3");
          assertThat(response.headers("c")).isEmpty();
          assertThat(response.header("content-length")).isEqualTo("4");
          assertThat(response.header("c")).isNull();
          response.text("four");
          assertThat(response.header("content-type")).isEqualTo("text/plain; charset=utf-8");
          ends.add("asserted");
        };
    try (StreamServer server = new StreamServer(handler)) {
      get(server, "/a");
      assertThat(ends).containsExactly("asserted");
    }
  }
}
