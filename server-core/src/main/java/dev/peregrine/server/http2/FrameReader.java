package dev.peregrine.server.http2;

import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.transport.Relieved;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a connection where they lie: DATA as it arrives, every other frame when it is
 * complete, and a field block when all its frames are. Checks their form; what they mean is the
 * connection's.
 */
final class FrameReader {
  /** The bytes that a client begins with (RFC 9113 section 3.4). */
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final ValueLayout.OfInt WORD = Http2.WORD;
  private static final int ID_BITS = Integer.MAX_VALUE;
  private static final int LENGTH_SHIFT = 8;
  private static final int BYTE_BITS = 0xFF;

  private final Http2Connection connection;
  private int prefaceRead;
  private boolean settingsRead;

  // The DATA frame that is being read.
  private @Nullable Http2Stream dataStream; // null to drop the content
  private int dataId; // 0 between two frames
  private int dataLeft;
  private int paddingLeft;
  private boolean dataEnds;

  // The field block that is being read.
  private @Nullable Block block; // its bytes, if it has several frames
  private @Nullable Block decoded; // a block whose fields are in use until its request was handled
  private int blockBytes;
  private int blockId; // 0 outside of a block
  private boolean blockEnds; // the stream
  private boolean blockDependsOnItself;

  FrameReader(Http2Connection connection) {
    this.connection = connection;
  }

  /** Returns true while a field block is incomplete, so that no other frame may arrive. */
  boolean isInBlock() {
    return blockId != 0;
  }

  /** Releases the memory of an incomplete block. */
  void close(BufferPool pool) {
    if (block != null) {
      pool.release(block);
      block = null;
    }
    releaseDecoded(pool);
  }

  /** Reads one frame, or a part of DATA. Returns false if more bytes are needed. */
  boolean read(InboundBuffer in) {
    if (decoded != null) { // by a turn whose thread was relieved
      releaseDecoded(connection.pool());
    }
    if (prefaceRead < PREFACE.length) {
      return readPreface(in);
    }
    if (dataId != 0) {
      return readContent(in);
    }
    int available = in.to() - in.from();
    if (available < Frame.HEAD_BYTES) {
      return false;
    }
    MemorySegment bytes = in.segment();
    int at = in.from();
    int word = bytes.get(WORD, at);
    int length = word >>> LENGTH_SHIFT;
    int type = word & BYTE_BITS;
    int flags = bytes.get(ValueLayout.JAVA_BYTE, at + 4L) & BYTE_BITS;
    int id = bytes.get(WORD, at + 5L) & ID_BITS;
    Violation wrong = check(length, type, id);
    if (wrong != null) {
      connection.fail(wrong);
      return false;
    }
    if (type == Frame.DATA) {
      return readDataHead(in, length, flags, id);
    }
    if (available < Frame.HEAD_BYTES + length) {
      return false;
    }
    int payload = at + Frame.HEAD_BYTES;
    in.consumeTo(payload + length);
    wrong = dispatch(bytes, payload, payload + length, type, flags, id);
    if (wrong != null) {
      connection.fail(wrong);
      return false;
    }
    return true;
  }

  private boolean readPreface(InboundBuffer in) {
    int count = Math.min(in.to() - in.from(), PREFACE.length - prefaceRead);
    for (int i = 0; i < count; i++) {
      byte next = in.segment().get(ValueLayout.JAVA_BYTE, in.from() + (long) i);
      if (next != PREFACE[prefaceRead + i]) {
        connection.fail(Violation.PREFACE_WRONG);
        return false;
      }
    }
    prefaceRead += count;
    in.consumeTo(in.from() + count);
    if (prefaceRead < PREFACE.length) {
      return false;
    }
    connection.begin();
    return true;
  }

  private @Nullable Violation check(int length, int type, int id) {
    if (length > Frame.PAYLOAD_BYTES_MAX) {
      return Violation.FRAME_TOO_LARGE;
    }
    if (!settingsRead && type != Frame.SETTINGS) {
      return Violation.SETTINGS_FIRST;
    }
    if (blockId != 0 && (type != Frame.CONTINUATION || id != blockId)) {
      return Violation.BLOCK_INTERRUPTED;
    }
    return null;
  }

  // ---- DATA ----

  private boolean readDataHead(InboundBuffer in, int length, int flags, int id) {
    int at = in.from() + Frame.HEAD_BYTES;
    boolean padded = (flags & Frame.PADDED) != 0;
    int padding = 0;
    if (padded) {
      if (length == 0) {
        connection.fail(Violation.FRAME_LENGTH);
        return false;
      }
      if (in.to() <= at) {
        return false;
      }
      padding = in.segment().get(ValueLayout.JAVA_BYTE, at) & BYTE_BITS;
      at++;
    }
    int content = length - padding - (padded ? 1 : 0);
    if (content < 0) {
      connection.fail(Violation.FRAME_PADDING);
      return false;
    }
    in.consumeTo(at);
    dataEnds = (flags & Frame.END_STREAM) != 0;
    dataStream = connection.data().onHead(id, length, content, dataEnds);
    dataId = id;
    dataLeft = content;
    paddingLeft = padding;
    return !connection.isFailed();
  }

  private boolean readContent(InboundBuffer in) {
    int available = in.to() - in.from();
    if (dataLeft > 0) {
      int count = Math.min(dataLeft, available);
      if (count == 0) {
        return false;
      }
      int from = in.from();
      in.consumeTo(from + count);
      dataLeft -= count;
      Http2Stream stream = target();
      if (stream != null) {
        connection.data().onContent(stream, in.block(), from, from + count);
      }
      return true;
    }
    int count = Math.min(paddingLeft, available);
    paddingLeft -= count;
    in.consumeTo(in.from() + count);
    if (paddingLeft > 0) {
      return false;
    }
    Http2Stream ended = target();
    dataId = 0;
    dataStream = null;
    if (dataEnds && ended != null) {
      connection.data().onEnd(ended);
    }
    return true;
  }

  /** Returns the stream of the present frame, unless it has ended meanwhile. */
  private @Nullable Http2Stream target() {
    Http2Stream stream = dataStream;
    return stream != null && stream.id() == dataId && !stream.isClosed() ? stream : null;
  }

  // ---- other frames ----

  private @Nullable Violation dispatch(
      MemorySegment bytes, int from, int to, int type, int flags, int id) {
    int length = to - from;
    return switch (type) {
      case Frame.HEADERS -> onHeaders(bytes, from, to, flags, id);
      case Frame.CONTINUATION -> onContinuation(bytes, from, to, flags, id);
      case Frame.SETTINGS -> onSettings(bytes, from, to, flags, id);
      case Frame.PING ->
          length != Frame.PING_BYTES
              ? Violation.FRAME_LENGTH
              : id != 0
                  ? Violation.STREAM_ID
                  : connection.onPing(bytes, from, (flags & Frame.ACK) != 0);
      case Frame.WINDOW_UPDATE ->
          length != Integer.BYTES
              ? Violation.FRAME_LENGTH
              : connection.output().onWindowUpdate(id, bytes.get(WORD, from) & ID_BITS);
      case Frame.RST_STREAM ->
          length != Integer.BYTES ? Violation.FRAME_LENGTH : connection.onReset(id);
      case Frame.PRIORITY ->
          connection.priorities().onPriority(id, length, dependency(bytes, from, length));
      case Frame.PRIORITY_UPDATE -> onPriorityUpdate(bytes, from, to, id);
      case Frame.GOAWAY ->
          id != 0
              ? Violation.STREAM_ID
              : length < 2 * Integer.BYTES ? Violation.FRAME_LENGTH : connection.onGoAway();
      case Frame.PUSH_PROMISE -> Violation.FRAME_UNEXPECTED;
      default -> connection.spend(FloodBudget.UNKNOWN);
    };
  }

  private static int dependency(MemorySegment bytes, int from, int length) {
    return length < Integer.BYTES ? 0 : bytes.get(WORD, from) & ID_BITS;
  }

  private @Nullable Violation onHeaders(MemorySegment bytes, int from, int to, int flags, int id) {
    if (id == 0) {
      return Violation.STREAM_ID;
    }
    int at = from;
    int end = to;
    if ((flags & Frame.PADDED) != 0) {
      if (at == to) {
        return Violation.FRAME_LENGTH;
      }
      end -= bytes.get(ValueLayout.JAVA_BYTE, at) & BYTE_BITS;
      at++;
    }
    boolean onItself = false;
    if ((flags & Frame.HAS_PRIORITY) != 0) {
      if (to - at < Frame.PRIORITY_BYTES) {
        return Violation.FRAME_LENGTH;
      }
      onItself = dependency(bytes, at, Integer.BYTES) == id;
      at += Frame.PRIORITY_BYTES;
    }
    if (at > end) {
      return Violation.FRAME_PADDING;
    }
    boolean ends = (flags & Frame.END_STREAM) != 0;
    if ((flags & Frame.END_HEADERS) != 0) {
      return connection.opener().onBlock(id, bytes, at, end, ends, onItself);
    }
    blockId = id;
    blockEnds = ends;
    blockDependsOnItself = onItself;
    blockBytes = 0;
    connection.onBlockBegin();
    return append(bytes, at, end);
  }

  private @Nullable Violation onContinuation(
      MemorySegment bytes, int from, int to, int flags, int id) {
    if (blockId == 0) {
      return Violation.FRAME_UNEXPECTED;
    }
    Violation wrong = connection.spend(FloodBudget.CONTINUATION);
    if (wrong == null) {
      wrong = append(bytes, from, to);
    }
    if (wrong != null || (flags & Frame.END_HEADERS) == 0) {
      return wrong;
    }
    blockId = 0;
    Block whole = block;
    block = null;
    StreamOpener opener = connection.opener();
    if (whole == null) {
      return opener.onBlock(id, bytes, to, to, blockEnds, blockDependsOnItself);
    }
    decoded = whole;
    Violation violation;
    try {
      violation =
          opener.onBlock(id, whole.segment(), 0, blockBytes, blockEnds, blockDependsOnItself);
    } catch (Relieved elsewhere) {
      throw elsewhere; // the other thread releases the block
    } catch (Throwable failure) {
      releaseDecoded(connection.pool());
      throw failure;
    }
    releaseDecoded(connection.pool());
    return violation;
  }

  private void releaseDecoded(BufferPool pool) {
    Block released = decoded;
    if (released != null) {
      decoded = null;
      pool.release(released);
    }
  }

  private @Nullable Violation append(MemorySegment bytes, int from, int to) {
    int length = to - from;
    if (blockBytes + length > connection.blockBytesMax()) {
      return Violation.BLOCK_TOO_LARGE;
    }
    if (length == 0) {
      return null;
    }
    BufferPool pool = connection.pool();
    Block target = block;
    if (target == null || target.capacity() - BufferPool.SLACK_BYTES < blockBytes + length) {
      Block larger = pool.acquire(2 * (blockBytes + length) + BufferPool.SLACK_BYTES);
      if (target != null) {
        MemorySegment.copy(target.segment(), 0, larger.segment(), 0, blockBytes);
        pool.release(target);
      }
      target = larger;
      block = target;
    }
    MemorySegment.copy(bytes, from, target.segment(), blockBytes, length);
    blockBytes += length;
    return null;
  }

  private @Nullable Violation onSettings(MemorySegment bytes, int from, int to, int flags, int id) {
    int length = to - from;
    boolean acknowledges = (flags & Frame.ACK) != 0;
    if (id != 0) {
      return Violation.STREAM_ID;
    }
    if (acknowledges ? length != 0 : length % Frame.SETTING_BYTES != 0) {
      return Violation.FRAME_LENGTH;
    }
    if (acknowledges) {
      return settingsRead ? connection.onSettingsAcknowledged() : Violation.SETTINGS_FIRST;
    }
    int settings = length / Frame.SETTING_BYTES;
    Violation wrong =
        settingsRead
            ? connection.spend(FloodBudget.SETTINGS + settings * FloodBudget.SETTING)
            : connection.spend(settings * FloodBudget.SETTING);
    settingsRead = true;
    for (int at = from; at < to && wrong == null; at += Frame.SETTING_BYTES) {
      int setting = bytes.get(Http2.SHORT, at) & 0xFFFF;
      wrong = connection.onSetting(setting, bytes.get(WORD, at + 2L));
    }
    if (wrong == null) {
      connection.acknowledgeSettings();
    }
    return wrong;
  }

  private @Nullable Violation onPriorityUpdate(MemorySegment bytes, int from, int to, int id) {
    if (id != 0) {
      return Violation.STREAM_ID;
    }
    if (to - from < Integer.BYTES) {
      return Violation.FRAME_LENGTH;
    }
    int prioritized = bytes.get(WORD, from) & ID_BITS;
    if ((prioritized & 1) == 0) { // the connection, or a stream that is never pushed
      return Violation.STREAM_ID;
    }
    return connection.priorities().onUpdate(prioritized, bytes, from + Integer.BYTES, to);
  }
}
