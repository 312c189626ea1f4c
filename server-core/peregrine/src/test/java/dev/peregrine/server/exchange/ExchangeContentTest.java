package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.RequestBody;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.testing.Listeners;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content of requests on in-memory streams. */
final class ExchangeContentTest {
  private static final long UNKNOWN = HttpStream.UNKNOWN_LENGTH;

  private final List<String> events = new ArrayList<>();
  private final List<RequestBody> bodies = new ArrayList<>();

  private Handler recording() {
    return (request, response) -> {
      bodies.add(request.body());
      request
          .body()
          .receive(
              Listeners.of(
                  data -> events.add(data.toString(StandardCharsets.US_ASCII)),
                  () -> {
                    events.add("end " + request.body().trailer("X-Sum"));
                    response.send();
                  },
                  cause -> events.add("error")));
    };
  }

  private static StreamServer limited(Handler handler, long bodyBytesMax) {
    return new StreamServer(
        handler, ServerLimits.builder().bodyBytesMax(bodyBytesMax).build(), null);
  }

  @ParameterizedTest
  @ValueSource(longs = {6, UNKNOWN})
  void passesContentOnPieceByPiece(long length) {
    try (StreamServer server = new StreamServer(recording())) {
      MemoryStream stream = server.request("POST", "/", length);
      assertThat(stream.demands).isEqualTo(1);
      server.send(stream, "abc", "def", "");

      assertThat(bodies.getFirst()).isNotNull();
      assertThat(events).containsExactly("abc", "def", "end null");
      assertThat(stream.head).isEqualTo("200");
    }
  }

  @Test
  void demandsNothingBeforeTheHandlerDoes() {
    try (StreamServer server = new StreamServer((request, response) -> response.async())) {
      MemoryStream stream = server.request("POST", "/", 3);

      server.send(stream, "abc");

      assertThat(stream.demands).isZero();
      assertThat(stream.exchange().content().receivedBytes()).isZero();
    }
  }

  @Test
  void takesNothingWhilePaused() {
    try (StreamServer server = new StreamServer(recording())) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);
      server.turn(bodies.getFirst()::pause);

      server.send(stream, "abc", "def", "");
      assertThat(events).isEmpty();
      server.turn(bodies.getFirst()::resume);

      assertThat(stream.demands).isEqualTo(2);
      assertThat(events).containsExactly("abc", "def", "end null");
    }
  }

  @Test
  void keepsTrailers() {
    try (StreamServer server = new StreamServer(recording())) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);
      server.turn(
          () ->
              stream
                  .exchange()
                  .content()
                  .receiveTrailers(List.of("x-sum", "1", "X-Sum", "2", "Other", "3")));
      server.send(stream, "");

      assertThat(events).containsExactly("end 1, 2");
    }
  }

  @Test
  void rejectsContentAboveItsLimitAndTakesContentAtIt() {
    try (StreamServer server = limited(recording(), 6)) {
      MemoryStream fits = server.request("POST", "/", UNKNOWN);
      server.send(fits, "abc", "def", "");
      MemoryStream exceeds = server.request("POST", "/", UNKNOWN);
      server.send(exceeds, "abc", "defg", "never");

      assertThat(fits.head).isEqualTo("200");
      assertThat(exceeds.head).startsWith("413 ");
      assertThat(exceeds.readingStopped).isTrue();
      assertThat(exceeds.brokenOff).isNull();
      assertThat(events).containsExactly("abc", "def", "end null", "abc", "error");
    }
  }

  @Test
  void rejectsDeclaredContentAboveItsLimitUnread() {
    try (StreamServer server = limited(recording(), 6)) {
      MemoryStream stream = server.request("POST", "/", 7);

      assertThat(stream.head).startsWith("413 ");
      assertThat(stream.demands).isZero();
      assertThat(events).isEmpty();
    }
  }

  @Test
  void rejectsContentThatArrivesTooSlowly() {
    try (StreamServer server = new StreamServer(recording())) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);

      server.turn(
          () -> {
            RequestContent content = stream.exchange().content();
            long now = server.connection.nanos();
            assertThat(content.isTooSlow(now)).isFalse();
            assertThat(content.isTooSlow(now + 3_600_000_000_000L)).isTrue();
            content.onTooSlow();
          });

      assertThat(stream.head).startsWith("408 ");
      assertThat(stream.readingStopped).isTrue();
      assertThat(events).containsExactly("error");
    }
  }

  @Test
  void continuesWhenTheContentIsWanted() {
    Handler handler =
        (request, response) -> {
          if (request.path().equals("/wanted")) {
            recording().handle(request, response);
          } else {
            response.send();
          }
        };
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream wanted = server.request("POST", "/wanted", 3, "Expect: 100-continue");
      MemoryStream unwanted = server.request("POST", "/unwanted", 3, "Expect: 100-continue");

      assertThat(wanted.interims).containsExactly("100");
      assertThat(unwanted.interims).isEmpty();
      server.send(wanted, "abc", "");
      assertThat(wanted.head).isEqualTo("200");
    }
  }

  @Test
  void dismissesTheListenerWhenTheResponseIsCompleteBefore() {
    Handler handler =
        (request, response) -> {
          request
              .body()
              .receive(
                  Listeners.of(
                      data -> response.text("enough"),
                      () -> events.add("end"),
                      cause -> events.add("dismissed")));
        };
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);
      server.send(stream, "abc");

      assertThat(stream.text()).isEqualTo("enough");
      assertThat(stream.over).isTrue();
      assertThat(events).containsExactly("dismissed");
    }
  }

  @Test
  void failsAnExchangeWhoseListenerThrows() {
    Handler handler =
        (request, response) ->
            request
                .body()
                .receive(
                    Listeners.of(
                        data -> {
                          throw new IOException("scripted");
                        },
                        () -> events.add("end")));
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);
      server.send(stream, "abc");

      assertThat(stream.head).startsWith("500 ");
      assertThat(events).isEmpty();
    }
  }

  @Test
  void echoesWhatItReceives() {
    Handler handler =
        (request, response) -> {
          var echo = response.stream();
          request.body().receive(Listeners.of(echo::write, echo::complete));
        };
    try (StreamServer server = new StreamServer(handler)) {
      MemoryStream stream = server.request("POST", "/", UNKNOWN);
      server.send(stream, "ab", "c".repeat(40_000), "");

      assertThat(stream.text()).isEqualTo("ab" + "c".repeat(40_000));
      assertThat(stream.ended).isTrue();
    }
  }
}
