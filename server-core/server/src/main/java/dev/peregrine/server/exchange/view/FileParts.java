package dev.peregrine.server.exchange.view;

import dev.peregrine.base.Interrupts;
import dev.peregrine.http.Response;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.file.Path;

/** Files, or parts of them, that responses are sent from; on any thread. */
final class FileParts {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private FileParts() {}

  /**
   * Checks a part of a file before it is sent, which may be later, on another thread.
   *
   * @throws IllegalArgumentException if the range isn't within the file, or the file can't be read
   */
  static void check(FileChannel file, long position, long count) {
    check(position, count);
    boolean held = Interrupts.hold();
    try {
      int ignored = file.read(NOTHING, position);
    } catch (NonReadableChannelException | IOException unreadable) {
      throw new IllegalArgumentException("the file can't be read: " + unreadable, unreadable);
    } finally {
      Interrupts.restore(held);
    }
  }

  /** Sends a response with a whole file, which is never opened on an event loop. */
  static void send(
      ExchangeState exchange,
      ExchangeTurns turns,
      ResponseSender sender,
      Response response,
      Path file) {
    EventLoop loop = exchange.context.loop;
    Opened sending =
        opened -> {
          long size = opened.size();
          turns.sendInTurn(() -> sender.sendFile(opened, 0, size));
        };
    if (loop.isCurrent()) {
      turns.async();
      String name = Thread.currentThread().getName() + "-file";
      Thread.ofVirtual().name(name).start(() -> openApart(loop, sending, response, file));
    } else {
      open(loop, sending, response, file);
    }
  }

  /** Sends an open file. */
  private interface Opened {
    void send(FileChannel file) throws IOException;
  }

  /** Opens and sends a file on a thread of its own, where nothing else handles a failure. */
  private static void openApart(EventLoop loop, Opened sending, Response response, Path file) {
    try {
      open(loop, sending, response, file);
    } catch (Throwable failure) {
      response.fail(failure);
    }
  }

  @SuppressWarnings("MustBeClosed") // by the loop, when it was sent
  private static void open(EventLoop loop, Opened sending, Response response, Path file) {
    boolean held = Interrupts.hold();
    try {
      sending.send(loop.poller().openFile(file));
    } catch (IOException failure) {
      response.fail(failure);
    } finally {
      Interrupts.restore(held);
    }
  }

  private static void check(long position, long count) {
    if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "not a part of a file: " + count + " bytes from " + position + " on");
    }
  }
}
