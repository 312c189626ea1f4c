package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The share of a connection before others have their turn: in requests, chunks and time. */
final class FairTurnsTest {
  private static final int MANY = 1_000;
  private static final long LONG = TimeSlice.NANOS_MAX + 1;

  private final AtomicLong clock = new AtomicLong(1_000_000_000);
  private final ScriptedServer server = new ScriptedServer(this::answer, clock::get);
  private final ScriptedSocket busy = server.connect();
  private final ScriptedSocket neighbour = server.connect();
  private final List<String> served = new ArrayList<>(); // the loop's
  private final List<Response> responses = new ArrayList<>(); // the loop's
  private long nanosPerCall;

  @AfterEach
  void end() {
    server.checkIdleMemory();
    server.close();
  }

  private void answer(Request request, Response response) {
    if (request.pathIs("/async")) {
      responses.add(response.async());
      return;
    }
    called(request.path());
    switch (request.path()) {
      case "/post" -> request.body().receive(counting(response));
      case "/early" -> {
        request.body().receive(counting(null));
        response.text("early");
      }
      default -> response.text("here");
    }
  }

  private BodyListener counting(@Nullable Response response) {
    return Listeners.of(
        data -> called("data"),
        () -> {
          if (response != null) {
            response.text("end");
          }
        });
  }

  private void called(String what) {
    served.add(what);
    clock.addAndGet(nanosPerCall);
  }

  @Test
  void servesANeighbourAfterOneSliceOfPipelinedRequests() {
    neighbour.receive(Requests.get("/n"));

    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), MANY)).ready(Ready.READ);
          assertThat(served).hasSize(TimeSlice.STEPS_MAX).containsOnly("/b");
          neighbour.ready(Ready.READ);
        });
    server.serve(busy);

    assertThat(served).hasSize(MANY + 1);
    assertThat(served.indexOf("/n")).isEqualTo(TimeSlice.STEPS_MAX);
    assertThat(busy.text().split("HTTP/1.1 200", -1)).hasSize(MANY + 1);
  }

  @Test
  void readsNothingWhilePipelinedRequestsWait() {
    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), MANY)).ready(Ready.READ);
          assertThat(busy.interest() & Ready.READ).isZero();
        });
    server.serve(busy);

    assertThat(server.loop.call(busy::interest) & Ready.READ).isEqualTo(Ready.READ);
  }

  @Test
  void sendsWhatAPartOfTheRequestsBroughtAtTheEndOfEachTurn() {
    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), MANY)).ready(Ready.READ);
          assertThat(busy.writes()).isEqualTo(1);
        });
    server.serve(busy);

    int turns = (MANY + TimeSlice.STEPS_MAX - 1) / TimeSlice.STEPS_MAX;
    assertThat(busy.writes()).isEqualTo(turns);
  }

  @Test
  void answersAsManyRequestsAsASliceHasInOneTurn() {
    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), TimeSlice.STEPS_MAX)).ready(Ready.READ);
          assertThat(served).hasSize(TimeSlice.STEPS_MAX);
          assertThat(busy.interest() & Ready.READ).isEqualTo(Ready.READ);
        });
  }

  @Test
  void endsATurnAfterOneRequestThatTakesLong() {
    alert();
    nanosPerCall = LONG;

    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), 16)).ready(Ready.READ);
          assertThat(served).containsExactly("/b");
        });
    server.serve(busy);

    assertThat(served).hasSize(16);
  }

  @Test
  void takesTurnsBetweenTwoThatPipeline() {
    server.loop.run(
        () -> {
          busy.receive(repeat(Requests.get("/b"), MANY)).ready(Ready.READ);
          neighbour.receive(repeat(Requests.get("/n"), MANY)).ready(Ready.READ);
        });
    server.serve(busy);

    assertThat(served).hasSize(2 * MANY);
    for (int turn = 0; turn < MANY / TimeSlice.STEPS_MAX; turn++) {
      int from = turn * TimeSlice.STEPS_MAX;
      assertThat(served.subList(from, from + TimeSlice.STEPS_MAX))
          .containsOnly(turn % 2 == 0 ? "/b" : "/n");
    }
  }

  @Test
  void answersPipelinedRequestsThoughTheClientHasEndedItsSide() {
    busy.receive(repeat(Requests.get("/b"), MANY)).receiveEnd();
    server.serve(busy);

    assertThat(served).hasSize(MANY);
    assertThat(busy.isOpen()).isFalse();
    assertThat(busy.wasReset()).isFalse();
  }

  @Test
  void passesOnOneSliceOfChunksATurn() {
    server.loop.run(
        () -> {
          busy.receive(chunks("/post", MANY)).ready(Ready.READ);
          assertThat(Collections.frequency(served, "data")).isEqualTo(TimeSlice.STEPS_MAX);
        });
    server.serve(busy);

    assertThat(Collections.frequency(served, "data")).isEqualTo(MANY);
    assertThat(busy.text()).endsWith("end");
  }

  @Test
  void endsATurnAfterOneChunkThatTakesLong() {
    alert();
    nanosPerCall = LONG;

    server.loop.run(
        () -> {
          busy.receive(chunks("/post", 16)).ready(Ready.READ);
          assertThat(served).containsExactly("/post", "data");
        });
    server.serve(busy);

    assertThat(Collections.frequency(served, "data")).isEqualTo(16);
  }

  @Test
  void passesContentOnToItsEndThoughTheClientHasEndedItsSide() {
    busy.receive(chunks("/post", MANY)).receiveEnd();
    server.serve(busy);

    assertThat(Collections.frequency(served, "data")).isEqualTo(MANY);
    assertThat(busy.text()).endsWith("end");
  }

  @Test
  void takesNoContentForMissingBecauseItWaitsForATurn() {
    busy.receive(chunks("/early", MANY)).receive(Requests.get("/next"));
    server.serve(busy);

    assertThat(Collections.frequency(served, "data")).isEqualTo(MANY);
    assertThat(busy.text()).contains("early").endsWith("here");
  }

  @Test
  void sendsABoundedPartOfALongResponsePerTurn() {
    byte[] content = Requests.content(10_000_000);
    ScriptedServer large =
        new ScriptedServer((request, response) -> response.send(content), clock::get);
    try {
      ScriptedSocket socket = large.connect();
      large.loop.run(
          () -> {
            socket.receive(Requests.get("/")).ready(Ready.READ);
            assertThat(socket.written()).hasSizeBetween(1 << 20, (1 << 20) + 64 * 1024);
          });
      large.serve(socket);
      assertThat(socket.written()).endsWith(content);
    } finally {
      large.close();
    }
  }

  @Test
  void runsOneSliceOfAConnectionsTasksATurn() {
    Response ofBusy = asyncResponse(busy);
    Response ofNeighbour = asyncResponse(neighbour);
    server.loop.whileHeld(
        () -> {
          for (int i = 0; i < MANY; i++) {
            ofBusy.onLoop(() -> called("b"));
          }
          ofNeighbour.onLoop(() -> called("n"));
        });
    server.serve(busy);
    Await.until("all tasks have run", () -> server.loop.call(served::size) == MANY + 1);

    assertThat(served.indexOf("n")).isEqualTo(TimeSlice.STEPS_MAX);
  }

  @Test
  void keepsTheOrderOfTasksOverSeveralTurns() {
    Response response = asyncResponse(busy);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 10 * MANY; i++) {
      int number = i;
      response.onLoop(() -> order.add(number));
    }

    Await.until("all tasks have run", () -> server.loop.call(order::size) == 10 * MANY);
    assertThat(order).isSorted();
  }

  @Test
  void writesOnceForAllThatAnotherThreadWroteBeforeTheTurn() {
    ResponseStream stream = asyncResponse(busy).stream();
    server.loop.whileHeld(
        () -> {
          for (int i = 0; i < 100; i++) {
            stream.write(new byte[] {'a'});
            stream.flush();
          }
        });
    server.loop.run(() -> assertThat(busy.writes()).isEqualTo(1));

    assertThat(busy.text().split("1\r\na\r\n", -1)).hasSize(101);
    stream.complete();
  }

  @Test
  void keepsOneFlushWaitingForManyRequests() {
    Response response = asyncResponse(busy);
    ResponseStream stream = response.stream();
    server.loop.whileHeld(
        () -> {
          for (int i = 0; i < MANY; i++) {
            stream.flush();
          }
          response.onLoop(() -> called("after"));
        });

    server.loop.run(() -> assertThat(served).containsExactly("after")); // in the same turn
    assertThat(busy.text()).startsWith("HTTP/1.1 200 OK");
    stream.complete();
  }

  private Response asyncResponse(ScriptedSocket socket) {
    server.loop.run(() -> socket.receive(Requests.get("/async")).ready(Ready.READ));
    return server.loop.call(() -> responses.removeLast());
  }

  /** Makes a turn of the loop long, so that the clock is read before each of the next steps. */
  private void alert() {
    server.loop.run(() -> clock.addAndGet(100 * TimeSlice.NANOS_MAX));
  }

  private static byte[] repeat(byte[] request, int times) {
    byte[][] all = new byte[times][];
    Arrays.fill(all, request);
    return Requests.join(all);
  }

  private static byte[] chunks(String path, int count) {
    return Requests.chunkedPost(path, Requests.content(count), 1);
  }
}
