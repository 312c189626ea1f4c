package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a connection where they lie: DATA as it arrives, every other frame when it is
 * complete, and a field block when all its frames are. Checks their form; what they mean is the
 * handler's.
 *
 * <pre>
 *   PREFACE ──24 bytes──▶ SETTINGS_AWAITED ──the first settings──▶ BETWEEN ◀──END_HEADERS── BLOCK
 *                                                                  ▲ │ └──a block begins──▶
 *                                                                  │ └──data──▶ CONTENT
 *                                                                  │               │ all of it
 *                                                                  └── PADDING ◀───┘
 * </pre>
 *
 * <p>Each step has two calls. {@link #find} returns the index up to which bytes are consumed, and
 * {@link #deliver} passes on what they are. So the caller has consumed them before the handler
 * runs, whatever that throws.
 */
public final class FrameReader {
  /** In place of an index: more bytes are needed. */
  public static final int INCOMPLETE = -1;

  /** The bytes that a client begins with (RFC 9113 section 3.4). */
  private static final byte[] CLIENT_PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int ID_BITS = Integer.MAX_VALUE;
  private static final int LENGTH_SHIFT = 8;
  private static final int BYTE_BITS = 0xFF;

  // The states are ints, not enums: a reference store into a tenured object costs a write barrier
  // of the garbage collector.
  private static final int PREFACE = 0;
  private static final int SETTINGS_AWAITED = 1;
  private static final int BETWEEN = 2; // two frames
  private static final int CONTENT = 3;
  private static final int PADDING = 4;
  private static final int BLOCK = 5; // a CONTINUATION frame must follow

  private final FrameHandler handler;
  private final FieldBlock block;
  private int state = PREFACE;
  private int prefaceRead;

  // The step that was found and not yet delivered.
  private @Nullable Violation wrong;
  private int from; // of the payload, or of a piece of it
  private int to;
  private int length; // of the payload
  private int type;
  private int flags;
  private int id;

  // The DATA frame that is being read.
  private int contentLeft;
  private int paddingLeft;
  private boolean dataEnds; // the stream

  /**
   * Creates the reader of a connection that has sent nothing.
   *
   * @param blockBytesMax the largest field block that is collected from several frames, in bytes
   */
  public FrameReader(FrameHandler handler, BufferPool pool, int blockBytesMax) {
    this.handler = handler;
    this.block = new FieldBlock(pool, blockBytesMax);
  }

  /** Returns true while a field block is incomplete, so that no other frame may arrive. */
  public boolean isInBlock() {
    return state == BLOCK;
  }

  /** Releases the memory of an incomplete block. */
  public void close() {
    block.close();
  }

  // ---- finding ----

  /**
   * Finds the next frame, or a part of DATA, in bytes that have arrived. Returns the index of the
   * first byte after it, or {@link #INCOMPLETE}. Otherwise {@link #deliver} must follow.
   */
  public int find(MemorySegment bytes, int at, int end) {
    block.releaseDelivered();
    return switch (state) {
      case PREFACE -> findPreface(bytes, at, end);
      case CONTENT -> findPart(at, end, contentLeft);
      case PADDING -> findPart(at, end, paddingLeft);
      default -> findFrame(bytes, at, end);
    };
  }

  private int findPreface(MemorySegment bytes, int at, int end) {
    int count = Math.min(end - at, CLIENT_PREFACE.length - prefaceRead);
    for (int i = 0; i < count; i++) {
      byte next = bytes.get(ValueLayout.JAVA_BYTE, at + (long) i);
      if (next != CLIENT_PREFACE[prefaceRead + i]) {
        wrong = Violation.PREFACE_WRONG;
        return at;
      }
    }
    prefaceRead += count;
    return count == 0 ? INCOMPLETE : at + count;
  }

  /** Finds the next piece of content or padding; the rest of it may be empty. */
  private int findPart(int at, int end, int left) {
    from = at;
    to = at + Math.min(left, end - at);
    return to == at && left > 0 ? INCOMPLETE : to;
  }

  private int findFrame(MemorySegment bytes, int at, int end) {
    int available = end - at - Frame.HEAD_BYTES;
    if (available < 0) {
      return INCOMPLETE;
    }
    int word = bytes.get(WORD, at);
    length = word >>> LENGTH_SHIFT;
    type = word & BYTE_BITS;
    flags = bytes.get(ValueLayout.JAVA_BYTE, at + 4L) & BYTE_BITS;
    id = bytes.get(WORD, at + 5L) & ID_BITS;
    wrong = check();
    if (wrong != null) {
      return at;
    }
    from = at + Frame.HEAD_BYTES;
    if (type == Frame.DATA) {
      return findData(bytes, available);
    }
    to = from + length;
    return available < length ? INCOMPLETE : to;
  }

  private @Nullable Violation check() {
    if (length > Frame.PAYLOAD_BYTES_MAX) {
      return Violation.FRAME_TOO_LARGE;
    }
    if (state == SETTINGS_AWAITED && type != Frame.SETTINGS) {
      return Violation.SETTINGS_FIRST;
    }
    if (state == BLOCK && (type != Frame.CONTINUATION || id != block.id())) {
      return Violation.BLOCK_INTERRUPTED;
    }
    return null;
  }

  /** Finds the head of a DATA frame, with the length of its padding. */
  private int findData(MemorySegment bytes, int available) {
    boolean padded = has(Frame.PADDED);
    if (padded && length == 0) {
      wrong = Violation.FRAME_LENGTH;
      return from;
    }
    if (padded && available == 0) {
      return INCOMPLETE;
    }
    paddingLeft = padded ? bytes.get(ValueLayout.JAVA_BYTE, from) & BYTE_BITS : 0;
    to = padded ? from + 1 : from;
    contentLeft = length - (to - from) - paddingLeft;
    if (contentLeft < 0) {
      wrong = Violation.FRAME_PADDING;
    }
    return to;
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  // ---- delivering ----

  /**
   * Passes on what was found.
   *
   * @param source the block with the bytes in which it was found
   * @return the fault that ends the connection, or null
   */
  public @Nullable Violation deliver(Block source) {
    if (wrong != null) {
      return wrong;
    }
    switch (state) {
      case PREFACE -> endPreface();
      case CONTENT -> deliverContent(source);
      case PADDING -> deliverPadding();
      default -> {
        return dispatch(source.segment());
      }
    }
    return null;
  }

  private void endPreface() {
    if (prefaceRead == CLIENT_PREFACE.length) {
      state = SETTINGS_AWAITED;
      handler.onPreface();
    }
  }

  private @Nullable Violation deliverDataHead() {
    state = contentLeft > 0 ? CONTENT : PADDING;
    dataEnds = has(Frame.END_STREAM);
    return handler.onDataHead(id, length, contentLeft, dataEnds);
  }

  private void deliverContent(Block source) {
    contentLeft -= to - from;
    state = contentLeft > 0 ? CONTENT : PADDING;
    handler.onContent(source, from, to);
  }

  private void deliverPadding() {
    paddingLeft -= to - from;
    if (paddingLeft == 0) {
      state = BETWEEN;
      if (dataEnds) {
        handler.onDataEnd();
      }
    }
  }

  private @Nullable Violation dispatch(MemorySegment bytes) {
    return switch (type) {
      case Frame.DATA -> deliverDataHead();
      case Frame.HEADERS -> deliverHeaders(bytes);
      case Frame.CONTINUATION -> deliverContinuation(bytes);
      case Frame.SETTINGS -> deliverSettings(bytes);
      case Frame.PING -> deliverPing(bytes);
      case Frame.WINDOW_UPDATE ->
          length != Integer.BYTES
              ? Violation.FRAME_LENGTH
              : handler.onWindowUpdate(id, bytes.get(WORD, from) & ID_BITS);
      case Frame.RST_STREAM ->
          length != Integer.BYTES ? Violation.FRAME_LENGTH : handler.onReset(id);
      case Frame.PRIORITY ->
          handler.onPriority(id, length, length < Integer.BYTES ? 0 : dependency(bytes, from));
      case Frame.PRIORITY_UPDATE -> deliverPriorityUpdate(bytes);
      case Frame.GOAWAY ->
          id != 0
              ? Violation.STREAM_ID
              : length < 2 * Integer.BYTES ? Violation.FRAME_LENGTH : handler.onGoAway();
      case Frame.PUSH_PROMISE -> Violation.FRAME_UNEXPECTED;
      default -> handler.onUnknown();
    };
  }

  private static int dependency(MemorySegment bytes, int at) {
    return bytes.get(WORD, at) & ID_BITS;
  }

  private @Nullable Violation deliverPing(MemorySegment bytes) {
    if (length != Frame.PING_BYTES) {
      return Violation.FRAME_LENGTH;
    }
    if (id != 0) {
      return Violation.STREAM_ID;
    }
    long data = bytes.get(LONG, from);
    return has(Frame.ACK) ? handler.onPingAcknowledged(data) : handler.onPing(data);
  }

  private @Nullable Violation deliverSettings(MemorySegment bytes) {
    if (id != 0) {
      return Violation.STREAM_ID;
    }
    boolean acknowledges = has(Frame.ACK);
    if (acknowledges ? length != 0 : length % Frame.SETTING_BYTES != 0) {
      return Violation.FRAME_LENGTH;
    }
    boolean first = state == SETTINGS_AWAITED;
    if (acknowledges) {
      return first ? Violation.SETTINGS_FIRST : handler.onSettingsAcknowledged();
    }
    state = BETWEEN;
    Violation fault = handler.onSettings(length / Frame.SETTING_BYTES, first);
    for (int at = from; at < to && fault == null; at += Frame.SETTING_BYTES) {
      int setting = bytes.get(SHORT, at) & 0xFFFF;
      fault = handler.onSetting(setting, bytes.get(WORD, at + 2L));
    }
    if (fault == null) {
      handler.onSettingsEnd();
    }
    return fault;
  }

  private @Nullable Violation deliverPriorityUpdate(MemorySegment bytes) {
    if (id != 0) {
      return Violation.STREAM_ID;
    }
    if (length < Integer.BYTES) {
      return Violation.FRAME_LENGTH;
    }
    int prioritized = bytes.get(WORD, from) & ID_BITS;
    if ((prioritized & 1) == 0) { // the connection, or a stream that is never pushed
      return Violation.STREAM_ID;
    }
    return handler.onPriorityUpdate(prioritized, bytes, from + Integer.BYTES, to);
  }

  // ---- field blocks ----

  private @Nullable Violation deliverHeaders(MemorySegment bytes) {
    if (id == 0) {
      return Violation.STREAM_ID;
    }
    int at = from;
    int end = to;
    if (has(Frame.PADDED)) {
      if (at == to) {
        return Violation.FRAME_LENGTH;
      }
      end -= bytes.get(ValueLayout.JAVA_BYTE, at) & BYTE_BITS;
      at++;
    }
    boolean onItself = false;
    if (has(Frame.HAS_PRIORITY)) {
      if (to - at < Frame.PRIORITY_BYTES) {
        return Violation.FRAME_LENGTH;
      }
      onItself = dependency(bytes, at) == id;
      at += Frame.PRIORITY_BYTES;
    }
    if (at > end) {
      return Violation.FRAME_PADDING;
    }
    boolean ends = has(Frame.END_STREAM);
    if (has(Frame.END_HEADERS)) {
      return handler.onBlock(id, bytes, at, end, ends, onItself);
    }
    state = BLOCK;
    block.begin(id, ends, onItself);
    handler.onBlockBegin();
    return block.add(bytes, at, end);
  }

  private @Nullable Violation deliverContinuation(MemorySegment bytes) {
    if (state != BLOCK) {
      return Violation.FRAME_UNEXPECTED;
    }
    Violation fault = handler.onContinuation();
    if (fault == null) {
      fault = block.add(bytes, from, to);
    }
    if (fault != null || !has(Frame.END_HEADERS)) {
      return fault;
    }
    state = BETWEEN;
    return block.deliver(handler, bytes, to);
  }
}
