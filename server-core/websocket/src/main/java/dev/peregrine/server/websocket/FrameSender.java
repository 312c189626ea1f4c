package dev.peregrine.server.websocket;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.parser.websocket.FrameEncoder;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.lease.BufferMemory;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.websocket.frame.FrameScratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages into frames (RFC 6455 section 5) and passes them to a tunnel, in turns of the
 * connection. While a message is sent in parts, other messages wait for its end.
 */
final class FrameSender {
  private static final int FINAL = FrameEncoder.FINAL;
  private static final int COPIED_BYTES_MAX = 16 * 1024;
  private static final int PIECE_BYTES = 8 * 1024; // the blocks that these are copied to are small
  private static final String FRAME = "frame";

  /**
   * Added for each message that waits, about what it takes besides its content: otherwise any
   * number of empty messages could wait.
   */
  static final int WAITING_BYTES = 64;

  private final Tunnel tunnel;
  private final FrameScratch scratch;
  private final @Nullable Compressor compressor; // null if messages aren't compressed
  private final SocketState state;
  private final ServerLimits limits;
  private final Runnable onOverfull;
  private @Nullable ArrayDeque<Waiting> waiting; // for the end of the message in parts
  private long waitingBytes;
  private boolean inParts;
  private boolean partsCompressed;
  private boolean closeSent;

  /** A message that waits, with the number of bytes that it is counted with. */
  private record Waiting(long bytes, Runnable sending) {}

  /**
   * Creates a sender.
   *
   * @param compressor null if messages aren't compressed
   * @param onOverfull called in place of sending, if too many bytes are unsent
   */
  FrameSender(
      Tunnel tunnel,
      FrameScratch scratch,
      @Nullable Compressor compressor,
      SocketState state,
      ServerLimits limits,
      Runnable onOverfull) {
    this.tunnel = tunnel;
    this.scratch = scratch;
    this.compressor = compressor;
    this.state = state;
    this.limits = limits;
    this.onOverfull = onOverfull;
  }

  /** Returns true if a close frame was sent: no frame may follow. */
  boolean isCloseSent() {
    return closeSent;
  }

  private boolean isOver() {
    return closeSent || !tunnel.isOpen();
  }

  /** Returns true if a message can't be sent, because the socket is closed, or is closed for it. */
  private boolean refuses() {
    if (isOver()) {
      return true;
    }
    boolean overfull = tunnel.unsentBytes() + waitingBytes > limits.webSocket().unsentBytesMax();
    if (overfull) {
      onOverfull.run();
    }
    return overfull;
  }

  /** Returns true if there is room for more messages, and records that for other threads. */
  boolean hasRoom() {
    boolean room =
        !state.isEnded() && tunnel.requestRoom() && waitingBytes < limits.outboundHighWater();
    state.onRoom(room);
    return room;
  }

  /** Returns true if a message can't be sent now, because another one is sent in parts. */
  boolean mustWait() {
    return inParts && !isOver();
  }

  /** Sends a message, after the one that is sent in parts. */
  void append(WebSocketMessage message) {
    if (mustWait()) {
      sendLater(message.length(), () -> message(message));
    } else {
      message(message);
    }
    hasRoom();
  }

  /**
   * Sends a message, after the one that is sent in parts.
   *
   * @param content kept until then: nobody may change it any more
   */
  void append(int opcode, ByteBuffer content) {
    if (mustWait()) {
      sendLater(content.remaining(), () -> message(opcode, content));
    } else {
      message(opcode, content);
    }
    hasRoom();
  }

  /**
   * Sends a message whose buffer may be on lease: by reference if that is long, and isn't freed or
   * compressed meanwhile.
   */
  void appendLeased(int opcode, ByteBuffer content) {
    if (mustWait()) {
      append(opcode, copy(content));
    } else if (compressor != null || isCopied(content)) {
      append(opcode, content);
    } else if (!refuses()) {
      frameByReference(FINAL | opcode, content);
    }
  }

  private static boolean isCopied(ByteBuffer content) {
    return content.remaining() <= COPIED_BYTES_MAX || !BufferMemory.isLasting(content);
  }

  private void frameByReference(int firstByte, ByteBuffer payload) {
    int from = scratch.head(firstByte, payload.remaining());
    tunnel.sendCopy(scratch.bytes, from, FrameScratch.PAYLOAD - from);
    tunnel.send(payload);
  }

  private void sendLater(long bytes, Runnable sending) {
    if (refuses()) {
      return;
    }
    if (waiting == null) {
      waiting = new ArrayDeque<>();
    }
    Waiting added = new Waiting(bytes + WAITING_BYTES, sending);
    waiting.add(added);
    waitingBytes += added.bytes;
  }

  // ---- messages ----

  void text(String text) {
    if (!refuses()) {
      int length = scratch.encode(text);
      if (compressor != null && length >= Compressor.BYTES_MIN) {
        int payload = FrameScratch.PAYLOAD;
        compressor.message(Opcode.TEXT, scratch.bytes, payload, payload + length);
        return;
      }
      int from = scratch.head(FINAL | Opcode.TEXT, length);
      tunnel.sendCopy(scratch.bytes, from, FrameScratch.PAYLOAD + length - from);
    }
  }

  void message(int opcode, ByteBuffer given) {
    if (refuses()) {
      return;
    }
    ByteBuffer content = lasting(given);
    if (compressor != null && content.remaining() >= Compressor.BYTES_MIN) {
      compressor.message(opcode, content.duplicate());
    } else {
      frame(FINAL | opcode, content);
    }
  }

  /** Returns bytes that can't be freed while they are sent, because a frame must not lack any. */
  static ByteBuffer lasting(ByteBuffer content) {
    return BufferMemory.isLasting(content) ? content : copy(content);
  }

  /** Returns a copy of a buffer's remaining bytes. */
  static ByteBuffer copy(ByteBuffer content) {
    return ByteBuffer.allocate(content.remaining()).put(content.duplicate()).flip();
  }

  void message(int opcode, ReceivedBytes content) {
    if (refuses()) {
      return;
    }
    int length = content.length();
    if (compressor != null && length >= Compressor.BYTES_MIN) {
      int first = content.from();
      compressor.message(opcode, content.block().range(first, first + length));
    } else {
      frame(FINAL | opcode, content);
    }
  }

  void message(WebSocketMessage message) {
    if (refuses()) {
      return;
    }
    if (compressor != null && message.length() >= Compressor.BYTES_MIN) {
      compressor.message(message);
      return;
    }
    byte[] frame = message.form(FRAME, FrameSender::encode);
    if (frame.length <= COPIED_BYTES_MAX) {
      tunnel.sendCopy(frame, 0, frame.length);
    } else {
      tunnel.send(ByteBuffer.wrap(frame));
    }
  }

  private static byte[] encode(WebSocketMessage message) {
    return FrameEncoder.frame(FINAL | Compressor.opcode(message), message.content());
  }

  private void frame(int firstByte, ReceivedBytes payload) {
    int length = payload.length();
    int from = scratch.head(firstByte, length);
    int headBytes = FrameScratch.PAYLOAD - from;
    MemorySegment bytes = payload.block().segment();
    if (length > COPIED_BYTES_MAX && payload.headroom() >= headBytes) {
      int start = payload.from() - headBytes;
      MemorySegment.copy(scratch.bytes, from, bytes, ValueLayout.JAVA_BYTE, start, headBytes);
      if (sendWithoutCopy(payload, start)) {
        return;
      }
    }
    tunnel.sendCopy(scratch.bytes, from, headBytes, bytes, payload.from(), length);
  }

  /** Sends a head and a payload, which lie in one block. Returns false if they must be copied. */
  private boolean sendWithoutCopy(ReceivedBytes payload, int start) {
    Block block = payload.block();
    int end = payload.from() + payload.length();
    boolean sent =
        payload.isGivable() ? tunnel.give(block, start, end) : tunnel.lend(block, start, end);
    if (sent) {
      payload.onSentByReference();
    }
    return sent;
  }

  private void frame(int firstByte, ByteBuffer payload) {
    if (isOver()) {
      return;
    }
    int length = payload.remaining();
    int from = scratch.head(firstByte, length);
    if (length <= FrameScratch.PAYLOAD_BYTES_MAX) {
      payload.get(payload.position(), scratch.bytes, FrameScratch.PAYLOAD, length);
      tunnel.sendCopy(scratch.bytes, from, FrameScratch.PAYLOAD + length - from);
    } else {
      tunnel.sendCopy(scratch.bytes, from, FrameScratch.PAYLOAD - from);
      MemorySegment bytes = MemorySegment.ofBuffer(payload);
      for (int done = 0; done < length; done += PIECE_BYTES) {
        tunnel.sendCopy(bytes, done, Math.min(PIECE_BYTES, length - done));
      }
    }
  }

  // ---- messages in parts ----

  void beginParts() {
    inParts = true;
    partsCompressed = compressor != null && !isOver() && compressor.beginParts();
  }

  /** Sends a part; the first one with the opcode of the message, the others with CONTINUATION. */
  void part(int opcode, ByteBuffer given) {
    if (refuses()) {
      return;
    }
    ByteBuffer content = lasting(given);
    if (compressor != null && partsCompressed) {
      compressor.part(opcode, content.duplicate());
    } else {
      frame(opcode, content);
    }
  }

  /** Sends a part whose buffer may be on lease, like {@link #appendLeased}. */
  void partLeased(int opcode, ByteBuffer content) {
    if (partsCompressed || isCopied(content)) {
      part(opcode, content);
    } else if (!refuses()) {
      frameByReference(opcode, content);
    }
  }

  /** Sends the last part, and then the messages that have waited. */
  void endParts(int opcode) {
    if (compressor != null && partsCompressed && !isOver()) {
      compressor.endParts(opcode);
    } else {
      frame(FINAL | opcode, ByteBuffer.allocate(0));
    }
    inParts = false;
    while (!inParts && waiting != null && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      waitingBytes -= next.bytes;
      next.sending.run();
    }
  }

  // ---- control frames ----

  void control(int opcode, byte[] content) {
    frame(FINAL | opcode, ByteBuffer.wrap(content));
  }

  void control(int opcode, ReceivedBytes content) {
    if (!refuses()) {
      frame(FINAL | opcode, content);
    }
  }

  void close(byte[] content) {
    control(Opcode.CLOSE, content);
    closeSent = true;
  }
}
