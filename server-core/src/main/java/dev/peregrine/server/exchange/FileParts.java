package dev.peregrine.server.exchange;

import dev.peregrine.base.Interrupts;
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

  /** Sends a response with a part of a file, which is taken over. */
  static void send(Exchange exchange, FileChannel file, long position, long count) {
    exchange.sendInTurn(() -> exchange.sender.sendFile(file, position, count));
  }

  /** Sends a response with a whole file, which is never opened on an event loop. */
  static void send(Exchange exchange, Path file) {
    if (exchange.context.loop.isCurrent()) {
      boolean ignored = exchange.use.async();
      String loop = Thread.currentThread().getName();
      Thread.ofVirtual().name(loop + "-file").start(() -> openApart(exchange, file));
    } else {
      open(exchange, file);
    }
  }

  /** Opens and sends a file on a thread of its own, where nothing else handles a failure. */
  private static void openApart(Exchange exchange, Path file) {
    try {
      open(exchange, file);
    } catch (Throwable failure) {
      exchange.response.fail(failure);
    }
  }

  @SuppressWarnings("MustBeClosed") // by the loop, when it was sent
  private static void open(Exchange exchange, Path file) {
    boolean held = Interrupts.hold();
    try {
      FileChannel channel = exchange.context.loop.poller().openFile(file);
      send(exchange, channel, 0, channel.size());
    } catch (IOException failure) {
      exchange.response.fail(failure);
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
