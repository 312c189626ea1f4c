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
      ByteBuffer checked = checked(opcode, content);
      if (socket.isOpen()) {
        sender.appendLeased(opcode, checked);
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
      ByteBuffer checked = checked(opcode, content);
      Runnable sending = () -> sender.appendLeased(opcode, checked);
      queued = socket.isOpen() && queue(socket, content, whenSent, sending);
    } finally {
      if (!queued) {
        end(content, whenSent);
      }
    }
  }

  private boolean queue(
      Sending socket, ByteBuffer content, Consumer<? super ByteBuffer> whenSent, Runnable sending) {
    Runnable passing = () -> leases.pass(content, whenSent, sending);
    return socket.queueMessage(content.remaining(), passing);
  }

  /** Sends a part of a message, whose buffer was checked, if the socket is still open. */
  void sendPart(
      Sending socket,
      FrameSender sender,
      int opcode,
      ByteBuffer part,
      Consumer<? super ByteBuffer> whenSent) {
    if (!socket.isDirect()) {
      boolean queued = false;
      try {
        queued = queue(socket, part, whenSent, () -> sender.partLeased(opcode, part));
      } finally {
        if (!queued) {
          end(part, whenSent);
        }
      }
      return;
    }
    leases.offer(part, whenSent);
    try {
      sender.partLeased(opcode, part);
    } finally {
      leases.settle();
    }
  }

  /** Gives a buffer back that isn't sent; on any thread. */
  void end(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    leases.end(content, whenSent);
  }

  /**
   * Checks that a buffer can be sent. Returns what is to be sent: a copy of text whose memory can
   * be freed, because the check doesn't notice if it is.
   */
  private static ByteBuffer checked(int opcode, ByteBuffer content) {
    GivenBuffer.check(content);
    if (opcode != Opcode.TEXT) {
      return content;
    }
    ByteBuffer lasting = FrameSender.lasting(content);
    checkText(MemorySegment.ofBuffer(lasting));
    return lasting;
  }

  static void checkText(MemorySegment utf8) {
    Utf8Validator validator = new Utf8Validator();
    if (!validator.accept(utf8, 0, utf8.byteSize()) || !validator.isComplete()) {
      throw new IllegalArgumentException("the text is not valid UTF-8");
    }
  }
}
