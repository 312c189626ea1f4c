package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A connection with much work beside a neighbour on its loop. Its first step waits until the
 * neighbour has sent a request, and a later step until the neighbour has its response. It would
 * wait in vain if all steps in between ran in one turn.
 */
final class FairnessIT {
  private static final int MANY = 1_000;
  private static final int LATER = 500;
  private static final long BOUND_SECONDS = 120;

  @RegisterExtension final Servers servers = new Servers();
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore sent = new Semaphore(0);
  private final Semaphore answered = new Semaphore(0);
  private int done; // used by the loop only
  private RawClient busy;
  private RawClient neighbour;

  @BeforeEach
  void start() {
    HttpServer server = servers.start(this::handle, options -> options.loops(1));
    busy = servers.connect(server);
    neighbour = servers.connect(server);
    assertThat(neighbour.get("/neighbour").read().text()).isEqualTo("here");
  }

  private void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/step" -> {
        step();
        response.text("done");
      }
      case "/chunks" -> request.body().receive(stepping(response));
      case "/tasks" -> {
        response.async();
        Thread.ofVirtual().start(() -> execute(response));
      }
      case "/flushes" -> {
        response.async();
        Thread.ofVirtual().start(() -> flush(response));
      }
      default -> response.text("here");
    }
  }

  private BodyListener stepping(Response response) {
    return Listeners.of(data -> step(), () -> response.text("done"));
  }

  private void execute(Response response) {
    for (int i = 0; i < MANY; i++) {
      response.onLoop(this::stepUnchecked);
    }
    response.text("done");
  }

  private void flush(Response response) {
    ResponseStream stream = response.stream();
    for (int i = 0; i < MANY; i++) {
      stream.write(new byte[] {'a'});
      stream.flush();
      response.onLoop(this::stepUnchecked);
    }
    stream.complete();
  }

  /** Tasks share a turn as long as they are short: the first one takes the whole time for them. */
  private void stepUnchecked() {
    long began = System.nanoTime();
    try {
      step();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
    while (done == 1 && System.nanoTime() - began <= TimeSlice.NANOS_MAX) {
      Thread.onSpinWait();
    }
  }

  private void step() throws InterruptedException {
    done++;
    if (done == 1) {
      begun.release();
      await(sent);
    } else if (done == LATER) {
      await(answered);
    }
  }

  private static void await(Semaphore semaphore) throws InterruptedException {
    if (!semaphore.tryAcquire(BOUND_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("waited in vain");
    }
  }

  private void expectANeighbourToBeServedMeanwhile() throws InterruptedException {
    await(begun);
    neighbour.get("/neighbour");
    sent.release();
    assertThat(neighbour.read().text()).isEqualTo("here");
    answered.release();
  }

  @Test
  void servesANeighbourBetweenPipelinedRequests() throws Exception {
    byte[][] requests = new byte[MANY][];
    Arrays.fill(requests, Requests.get("/step"));
    CompletableFuture<Void> sending = busy.sendMeanwhile(Requests.join(requests));

    expectANeighbourToBeServedMeanwhile();

    for (int i = 0; i < MANY; i++) {
      assertThat(busy.read().text()).isEqualTo("done");
    }
    sending.join();
  }

  @Test
  void servesANeighbourBetweenChunks() throws Exception {
    CompletableFuture<Void> sending =
        busy.sendMeanwhile(Requests.chunkedPost("/chunks", Requests.content(MANY), 1));

    expectANeighbourToBeServedMeanwhile();

    assertThat(busy.read().text()).isEqualTo("done");
    sending.join();
  }

  @Test
  void servesANeighbourBetweenTasksOfOtherThreads() throws Exception {
    busy.get("/tasks");

    expectANeighbourToBeServedMeanwhile();

    assertThat(busy.read().text()).isEqualTo("done");
  }

  @Test
  void servesANeighbourBetweenFlushes() throws Exception {
    busy.get("/flushes");

    expectANeighbourToBeServedMeanwhile();

    assertThat(busy.read().content()).hasSize(MANY);
  }
}
