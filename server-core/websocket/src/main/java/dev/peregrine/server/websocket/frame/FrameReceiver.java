package dev.peregrine.server.websocket.frame;

import dev.peregrine.http.Bytes;
import dev.peregrine.parser.websocket.FrameFault;
import dev.peregrine.parser.websocket.FrameHead;
import dev.peregrine.parser.websocket.Masking;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.parser.websocket.Utf8Validator;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.websocket.deflate.InflateResult;
import dev.peregrine.server.websocket.deflate.MessageInflater;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the client's frames apart where they lie, and passes messages and control frames on to a
 * listener (RFC 6455 section 5). A message that arrives at once is passed on without a copy.
 * Belongs to the loop.
 */
public final class FrameReceiver {
  private static final int INFLATED_GUESS = 4; // times the compressed length
  private static final int INFLATED_BYTES_MAX = 64 * 1024; // at a time

  // A frame from this length on may not fit into a usual read, so that more than one is expected.
  private static final int LONG_FRAME_BYTES = 60 * 1024;

  private final FrameListener listener;
  private final BufferPool pool;
  private final int messageBytesMax;
  private final boolean inParts; // messages are delivered as they arrive
  private final FrameHead head = new FrameHead();
  private final Utf8Validator utf8 = new Utf8Validator();
  private final ReceivedBytes view = new ReceivedBytes();
  private final MessageBuffer message;
  private final MessageBuffer control;
  private final @Nullable MessageInflater inflater;
  private boolean compressed; // the message is
  private boolean inPayload;
  private long missing; // bytes of the payload that haven't arrived
  private int phase; // bytes of the payload that have arrived, modulo 4
  private int kind = Opcode.CONTINUATION; // of the message, TEXT or BINARY once it has begun
  private boolean validText; // the view shows text
  private boolean suspended; // the inflater has more output, which the session doesn't take now
  private int suspendedBytes; // of the payload, unmasked but not inflated
  private boolean suspendedLast; // they end the message
  private int headroom; // bytes of the block before the payload, which were taken before it
  private long longFrameBytes; // of the last frame of a message with its head; 0 if it wasn't long

  /**
   * Creates a receiver.
   *
   * @param messageBytesMax the limit of messages that are delivered whole
   * @param inParts true to deliver the parts of messages as they arrive, of any length
   * @param inflater decompresses messages; null if none may be compressed
   */
  public FrameReceiver(
      FrameListener listener,
      BufferPool pool,
      int messageBytesMax,
      boolean inParts,
      @Nullable MessageInflater inflater) {
    this.listener = listener;
    this.pool = pool;
    this.messageBytesMax = messageBytesMax;
    this.inParts = inParts;
    this.inflater = inflater;
    head.allowCompression(inflater != null);
    this.message = new MessageBuffer(pool);
    this.control = new MessageBuffer(pool);
  }

  /** Sets what retains messages. */
  public void retainBy(Retainer retainer) {
    view.retainBy(retainer);
  }

  /**
   * Returns true if the client must send on: a frame has begun, or a message that takes memory
   * which all sockets share.
   */
  public boolean isUnfinished() {
    return inPayload || head.isBegun() || (inflater != null && inflater.isCharged());
  }

  /**
   * Returns the bytes that are missing of the present frame, or of one like the last one, if that
   * was long.
   */
  public long expectedBytes() {
    return inPayload ? missing : longFrameBytes;
  }

  /** Returns true if a message waits in the middle, also without bytes that have arrived. */
  public boolean isSuspended() {
    return suspended;
  }

  /** Returns true if these bytes are text that has been found valid. */
  @SuppressWarnings("ReferenceEquality") // the view itself
  public boolean isValidText(Bytes bytes) {
    return bytes == view && validText;
  }

  /**
   * Takes the next frame, or as much of it as has arrived; before it, more of a message that waits
   * in the middle. Returns the index after the bytes that were taken.
   */
  public int receive(Block block, int from, int to) {
    if (suspended) {
      return resume(block, from);
    }
    MemorySegment bytes = block.segment();
    int at = from;
    if (!inPayload) {
      at = (int) head.read(bytes, at, to);
      if (!head.isComplete()) {
        return endHead(at);
      }
      if (!beginPayload()) {
        return to;
      }
    }
    int end = at + (int) Math.min(to - at, missing);
    if (end > at) {
      Masking.apply(bytes, at, end, head.maskingKey(), phase);
      phase = (phase + end - at) & 3;
      missing -= end - at;
    }
    if (missing == 0) {
      headroom = at - from;
      endFrame(block, at, end);
    } else if (end > at) {
      pass(block, at, end, false);
    }
    return end - suspendedBytes;
  }

  private int endHead(int at) {
    FrameFault fault = head.fault();
    if (fault != null) {
      listener.onFault(ClientFault.violation(fault.text()));
    }
    return at;
  }

  /** Judges a frame by its head. Returns false if the session has ended because of it. */
  private boolean beginPayload() {
    int opcode = head.opcode();
    long length = head.payloadLength();
    if (Opcode.isControl(opcode)) {
      if (opcode != Opcode.CLOSE && !listener.onEmptyFrame()) {
        return false;
      }
    } else if (opcode == Opcode.CONTINUATION) {
      if (kind == Opcode.CONTINUATION) {
        listener.onFault(ClientFault.violation("a continuation frame without a message"));
        return false;
      }
    } else if (kind != Opcode.CONTINUATION) {
      listener.onFault(ClientFault.violation("a message within another message"));
      return false;
    } else {
      kind = opcode;
      compressed = head.reservedBits() != 0;
      if (inflater != null && compressed && listener.takesMessages()) {
        inflater.begin(inParts ? Long.MAX_VALUE : messageBytesMax);
      }
    }
    if (!Opcode.isControl(opcode)) {
      if (!admit(length)) {
        return false;
      }
      longFrameBytes = length < LONG_FRAME_BYTES ? 0 : length + FrameHead.BYTES_MAX;
    }
    inPayload = true;
    missing = length;
    phase = 0;
    return true;
  }

  private boolean admit(long length) {
    if (length == 0 && !head.isFinal() && !listener.onEmptyFrame()) {
      return false;
    }
    boolean whole = !inParts && !compressed; // otherwise judged as it grows
    if (whole && length > messageBytesMax - message.length()) { // can't overflow
      listener.onFault(ClientFault.tooLarge(messageBytesMax));
      return false;
    }
    return true;
  }

  private void endFrame(Block block, int from, int to) {
    boolean last = head.isFinal();
    int opcode = head.opcode();
    inPayload = false;
    head.clear();
    if (Opcode.isControl(opcode)) {
      endControl(opcode, block, from, to);
    } else {
      passData(block, from, to, last);
    }
  }

  private void pass(Block block, int from, int to, boolean last) {
    if (Opcode.isControl(head.opcode())) {
      control.add(block.segment(), from, to - from, head.payloadLength());
    } else {
      passData(block, from, to, last);
    }
  }

  // ---- control frames ----

  private void endControl(int opcode, Block block, int from, int to) {
    if (control.isEmpty()) {
      passControl(opcode, block, from, to);
      return;
    }
    control.add(block.segment(), from, to - from, 0);
    int length = control.length();
    Block whole = control.take();
    try {
      passControl(opcode, whole, MessageBuffer.FROM, MessageBuffer.FROM + length);
    } finally {
      pool.release(whole);
    }
  }

  private void passControl(int opcode, Block block, int from, int to) {
    validText = false;
    view.open(block, from, to);
    try {
      switch (opcode) {
        case Opcode.PING -> listener.onPing(view);
        case Opcode.PONG -> listener.onPong(view);
        default -> listener.onCloseFrame(view);
      }
    } finally {
      view.close();
    }
  }

  // ---- messages ----

  private void passData(Block block, int from, int to, boolean last) {
    if (inflater != null && compressed && listener.takesMessages()) {
      inflater.input(block.range(from, to));
      if (last) {
        inflater.endInput();
      }
      inflate(inflater, to - from, last);
    } else {
      passContent(block, from, to, last);
    }
  }

  /**
   * Continues a suspended message with the rest of its payload. Returns the index after the bytes
   * taken.
   */
  private int resume(Block block, int at) {
    int end = at + suspendedBytes;
    endSuspension();
    if (inflater != null && listener.takesMessages()) {
      inflater.resumeInput(block.range(at, end));
      inflate(inflater, end - at, suspendedLast);
    } else {
      passContent(block, at, end, suspendedLast);
    }
    return end - suspendedBytes;
  }

  private void endSuspension() {
    suspended = false;
    suspendedBytes = 0;
  }

  /**
   * Decompresses the input block by block, and passes each on. Suspends the message if the session
   * takes no more now.
   *
   * @param last true if the input ends the message
   */
  private void inflate(MessageInflater open, int inputBytes, boolean last) {
    int wanted = Math.clamp(INFLATED_GUESS * (long) inputBytes, 0, INFLATED_BYTES_MAX);
    Block target = pool.acquire(wanted + BufferPool.SLACK_BYTES);
    headroom = 0; // the content isn't in the payload's block
    try {
      InflateResult result;
      do {
        ByteBuffer room = target.range(0, target.capacity() - BufferPool.SLACK_BYTES);
        result = open.inflate(room);
        if (result.isFailure()) {
          listener.onFault(ClientFault.notInflated(result, messageBytesMax));
          return;
        }
        passContent(target, 0, room.position(), result == InflateResult.END);
        if (target.isShared()) { // retained
          Block next = pool.acquire(target.capacity());
          pool.release(target);
          target = next;
        }
        if (result == InflateResult.MORE_OUTPUT && !listener.takesPartsNow()) {
          suspended = true;
          suspendedBytes = open.suspendInput();
          suspendedLast = last;
        }
      } while (result == InflateResult.MORE_OUTPUT && !suspended && listener.takesMessages());
    } finally {
      pool.release(target);
    }
  }

  private void passContent(Block block, int from, int to, boolean last) {
    if (!listener.takesMessages()) {
      if (last) {
        endMessage();
      }
    } else if (!isValid(block, from, to, last)) {
      listener.onFault(ClientFault.invalidText());
    } else if (inParts) {
      deliverPart(block, from, to, last);
    } else if (!last) {
      collect(block, from, to);
    } else if (message.isEmpty()) {
      view.open(block, from, to);
      view.allowHead(headroom);
      deliver(true);
    } else {
      collect(block, from, to);
      deliverCollected();
    }
  }

  private void deliverCollected() {
    int length = message.length();
    Block whole = message.take();
    view.open(whole, MessageBuffer.FROM, MessageBuffer.FROM + length);
    view.allowHead(MessageBuffer.FROM);
    view.allowGiving();
    pool.hold(whole); // a listener may send it, end the connection, and read on
    try {
      deliver(true);
    } finally {
      pool.endHold(whole);
      if (view.isGivable()) {
        pool.release(whole);
      }
    }
  }

  private void collect(Block block, int from, int to) {
    long expected = compressed ? Long.MAX_VALUE : message.length() + (to - from) + missing;
    message.add(block.segment(), from, to - from, expected);
  }

  private boolean isValid(Block block, int from, int to, boolean last) {
    if (kind != Opcode.TEXT) {
      return true;
    }
    return utf8.accept(block.segment(), from, to) && (!last || utf8.isComplete());
  }

  private void deliverPart(Block block, int from, int to, boolean last) {
    if (last || to > from) {
      view.open(block, from, to);
      deliver(last);
    }
  }

  /** Passes the bytes of the view on. */
  private void deliver(boolean last) {
    boolean isText = kind == Opcode.TEXT;
    if (last) {
      endMessage();
    }
    validText = isText && !inParts;
    try {
      listener.onMessage(isText, view, last);
    } finally {
      view.close();
    }
  }

  private void endMessage() {
    kind = Opcode.CONTINUATION;
    utf8.clear();
    if (utf8.wantsVectors()) {
      TextWarmUp.start();
    }
  }

  /** Drops all memory; nothing is received any more. */
  public void release() {
    endSuspension();
    message.release();
    control.release();
  }
}
