package dev.peregrine.server.websocket;

import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.parser.websocket.Utf8Validator;
import dev.peregrine.server.exchange.bytes.GivenBuffer;
import dev.peregrine.server.memory.lease.Leases;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/** Sends messages whose buffers are given back; for all sockets of a loop, on any thread. */
final class LeasedMessages {
  private final Leases leases;

  /** A socket, as far as sending a message needs it. */
  interface Sending {
    boolean isOpen();

    /** Returns true if a call acts at once. */
    boolean isDirect();

    /**
     * Sends a message in a later turn, after the calls before. Returns false if too many bytes
     * wait, which ends the connection.
     */
    boolean queueMessage(long bytes, Runnable sending);
  }

  LeasedMessages(Leases leases) {
    this.leases = leases;
  }

  /** Sends a message, unless the socket is closed. */
  void send(
      Sending socket,
      FrameSender sender,
      int opcode,
      ByteBuffer content,
      Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(whenSent, "whenSent");
    if (!socket.isDirect()) {
      sendLater(socket, sender, opcode, content, whenSent);
      return;
    }
    leases.offer(content, whenSent);
    try {
      check(opcode, content);
      if (socket.isOpen()) {
        sender.appendLeased(opcode, content);
      }
    } finally {
      leases.settle();
    }
  }

  private void sendLater(
      Sending socket,
      FrameSender sender,
      int opcode,
      ByteBuffer content,
      Consumer<? super ByteBuffer> whenSent) {
    boolean queued = false;
    try {
      check(opcode, content);
      Runnable sending = () -> sender.appendLeased(opcode, content);
      Runnable passing = () -> leases.pass(content, whenSent, sending);
      queued = socket.isOpen() && socket.queueMessage(content.remaining(), passing);
    } finally {
      if (!queued) {
        leases.end(content, whenSent);
      }
    }
  }

  private static void check(int opcode, ByteBuffer content) {
    GivenBuffer.check(content);
    if (opcode == Opcode.TEXT) {
      checkText(MemorySegment.ofBuffer(content));
    }
  }

  static void checkText(MemorySegment utf8) {
    Utf8Validator validator = new Utf8Validator();
    if (!validator.accept(utf8, 0, utf8.byteSize()) || !validator.isComplete()) {
      throw new IllegalArgumentException("the text is not valid UTF-8");
    }
  }
}
