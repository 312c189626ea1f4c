package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocking form above a socket in memory. This thread plays the event loop unless it waits. */
@Timeout(300)
final class BlockingSessionTest {
  private final FakeSocket socket = new FakeSocket(new FakeLoop());
  private final BlockingSession session = new BlockingSession(socket, new Thread());

  @Test
  void returnsMessagesInOrderThenNull() throws Exception {
    receive("one");
    receive("two");
    session.onClose(1000, "bye");

    assertThat(text(session.receive())).isEqualTo("one");
    assertThat(text(session.receive(Duration.ofDays(1000)))).isEqualTo("two");
    assertThat(session.receive()).isNull();
    assertThat(session.receive(Duration.ZERO)).isNull();
    assertThat(session.closeCode()).isEqualTo(1000);
    assertThat(session.closeReason()).isEqualTo("bye");
  }

  @Test
  void waitsForAMessage() throws Exception {
    CompletableFuture<String> received = new CompletableFuture<>();
    Thread reader = start(() -> received.complete(text(session.receive())));
    awaitWaiting(reader);
    receive("one");

    assertThat(received.get()).isEqualTo("one");
  }

  @Test
  void givesUpAfterTheTimeout() {
    assertThatThrownBy(() -> session.receive(Duration.ofMillis(1)))
        .isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> session.receive(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> session.receive(Duration.ofMillis(-1)))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void losesNoMessageByAnInterrupt() throws Exception {
    Throwable thrown = failureAfter(session::receive, Thread::interrupt);

    assertThat(thrown).isInstanceOf(InterruptedException.class);
    receive("one");
    assertThat(text(session.receive())).isEqualTo("one");
  }

  @Test
  void endsReceivingAtTheShutdown() throws Exception {
    receive("one");
    session.onShutdown();

    assertThat(session.isReceiving()).isFalse();
    assertThat(session.isOpen()).isFalse();
    assertThat(text(session.receive())).isEqualTo("one");
    assertThat(session.receive()).isNull();
    session.send("last words");
    assertThat(socket.sent).containsExactly("last words");
  }

  @Test
  void pausesTheClientWhileManyMessagesWait() throws Exception {
    for (int i = 0; i < Inbox.MESSAGES_MAX - 1; i++) {
      receive("m" + i);
    }
    assertThat(socket.events).isEmpty();
    receive("last");
    assertThat(socket.events).containsExactly("pause");
    for (int i = Inbox.MESSAGES_MAX; i > Inbox.MESSAGES_MAX / 2; i--) {
      assertThat(socket.events).containsExactly("pause");
      session.receive();
    }
    assertThat(socket.events).containsExactly("pause", "resume");
  }

  @Test
  void pausesTheClientWhileManyBytesWait() throws Exception {
    session.onMessage(WebSocketMessage.binary(new byte[Inbox.BYTES_MAX - 1]));
    assertThat(socket.events).isEmpty();
    session.onMessage(WebSocketMessage.binary(new byte[1]));
    assertThat(socket.events).containsExactly("pause");
    session.receive();
    assertThat(socket.events).containsExactly("pause", "resume");
  }

  /** The handler's thread takes all messages just as the loop finds that too many wait. */
  @Test
  void doesNotStayPausedIfAllMessagesAreTakenBeforeThePause() {
    socket.beforePause(this::receiveAll);
    fillInbox();

    assertThat(socket.events).containsExactly("pause", "resume");
  }

  @Test
  void doesNotStayPausedIfAllMessagesAreTakenAfterThePause() {
    socket.afterPause(this::receiveAll);
    fillInbox();

    assertThat(socket.events).containsExactly("pause", "resume");
  }

  private void fillInbox() {
    for (int i = 0; i < Inbox.MESSAGES_MAX; i++) {
      receive("m" + i);
    }
  }

  private void receiveAll() {
    try {
      for (int i = 0; i < Inbox.MESSAGES_MAX; i++) {
        assertThat(text(session.receive(Duration.ZERO))).isEqualTo("m" + i);
      }
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void sendsOnceTheClientIsNotBehind() throws Exception {
    socket.room(0);
    Thread sender = start(() -> session.send("one"));
    awaitWaiting(sender);
    assertThat(socket.sent).isEmpty();
    socket.room(1);
    sender.join();

    assertThat(socket.sent).containsExactly("one");
  }

  @Test
  void failsToSendOnAClosedSocket() throws Exception {
    socket.room(0);
    Throwable thrown =
        failureAfter(
            () -> session.send("one"),
            sender -> {
              socket.beginClose();
              session.onClose(1001, "gone");
            });

    assertThat(thrown)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1001")
        .hasMessageContaining("gone");
    assertThatThrownBy(() -> session.send(new byte[1])).isInstanceOf(IOException.class);
    assertThat(socket.sent).isEmpty();
  }

  @Test
  void sendsNothingWhenInterrupted() throws Exception {
    socket.room(0);
    Throwable thrown = failureAfter(() -> session.send("one"), Thread::interrupt);

    assertThat(thrown).isInstanceOf(InterruptedException.class);
    socket.room(2);
    session.send("two");
    assertThat(socket.sent).containsExactly("two");
  }

  @Test
  void closesNormallyWhenTheHandlerReturns() {
    session.run(same -> same.send("bye"));

    assertThat(socket.sent).containsExactly("bye");
    assertThat(socket.events).containsExactly("close 1000", "resume");
    assertThat(session.isReceiving()).isFalse();
  }

  @Test
  void closesAsGoingAwayWhenTheHandlerReturnsDuringTheShutdown() {
    session.onShutdown();
    session.run(same -> {});

    assertThat(socket.events).containsExactly("close 1001", "resume");
  }

  @Test
  void closesWithAnErrorWhenTheHandlerThrows() {
    try (ServerLog log = new ServerLog()) {
      session.run(
          same -> {
            throw new AssertionError("for the test");
          });
      log.expectOne(Level.SEVERE, "for the test");
    }
    assertThat(socket.events).containsExactly("close 1011", "resume");
  }

  @Test
  void doesNotReportThatTheClientIsGone() {
    try (ServerLog log = new ServerLog()) {
      session.run(
          same -> {
            socket.beginClose();
            session.onClose(1006, "reset");
            same.send("one");
          });
      assertThat(log.take(Level.INFO)).isEmpty();
    }
  }

  @Test
  void doesNotReportThatTheClientIsSilent() {
    try (ServerLog log = new ServerLog()) {
      session.run(same -> same.receive(Duration.ZERO));
      assertThat(log.take(Level.INFO)).isEmpty();
    }
    assertThat(socket.events).containsExactly("close 1011", "resume");
  }

  @Test
  void reportsAnotherTimeout() {
    try (ServerLog log = new ServerLog()) {
      session.run(
          same -> {
            throw new ExecutionException(new TimeoutException("for the test"));
          });
      log.expectOne(Level.SEVERE, "for the test");
    }
  }

  @Test
  void reportsAnInterruptOnlyOfAnOpenSocket() {
    try (ServerLog log = new ServerLog()) {
      session.run(
          same -> {
            throw new InterruptedException("for the test");
          });
      log.expectOne(Level.SEVERE, "for the test");
      socket.beginClose();
      session.run(
          same -> {
            throw new InterruptedException("for the test");
          });
      assertThat(log.take(Level.INFO)).isEmpty();
    }
  }

  @Test
  void describesAMessageWithoutItsContent() {
    assertThat(WebSocketMessage.text("é")).hasToString("text message of 2 bytes");
    assertThat(WebSocketMessage.binary(new byte[3])).hasToString("binary message of 3 bytes");
  }

  @Test
  void isIterable() {
    receive("one");
    receive("two");
    session.onClose(1005, "");
    List<String> received = new ArrayList<>();
    for (WebSocketMessage message : session) {
      received.add(message.text());
    }

    assertThat(received).containsExactly("one", "two");
  }

  @Test
  void iterationFailsWhenInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> session.iterator().hasNext()).isInstanceOf(UncheckedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void doesNotWaitOnTheEventLoop() {
    BlockingSession own = new BlockingSession(socket, Thread.currentThread());

    assertThatThrownBy(own::receive).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> own.receive(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> own.send("one")).isInstanceOf(IllegalStateException.class);
  }

  private void receive(String text) {
    session.onMessage(WebSocketMessage.text(text));
  }

  private static String text(@Nullable WebSocketMessage message) {
    return Objects.requireNonNull(message).text();
  }

  private interface Work {
    void run() throws Exception;
  }

  private static Thread start(Work work) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                work.run();
              } catch (Exception failure) {
                throw new IllegalStateException(failure);
              }
            });
  }

  /** Runs work on another thread until it waits, acts on that thread, and returns its failure. */
  private static Throwable failureAfter(Work work, Consumer<Thread> action) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread thread =
        start(
            () -> {
              try {
                work.run();
                thrown.complete(new AssertionError("it has not failed"));
              } catch (Exception failure) {
                thrown.complete(failure);
              }
            });
    awaitWaiting(thread);
    action.accept(thread);
    return thrown.get();
  }

  private static void awaitWaiting(Thread thread) {
    Await.until(
        "the thread waits",
        () ->
            thread.getState() == Thread.State.TIMED_WAITING
                || thread.getState() == Thread.State.WAITING);
  }
}
