package dev.peregrine.server.fuzz;

import dev.peregrine.testing.http2.Http2Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits bytes into frames as they arrive (RFC 9113 section 4.1). */
final class FrameSplitter {
  private byte[] bytes = new byte[Http2Frame.HEAD_BYTES];
  private int count;
  private int skipped; // bytes that precede the frames and haven't arrived

  FrameSplitter(int skipped) {
    this.skipped = skipped;
  }

  /** Returns true if no frame is incomplete. */
  boolean isBetweenFrames() {
    return skipped == 0 && count == 0;
  }

  /** Returns the length of the payload of a DATA frame that is incomplete; 0 if there is none. */
  int incompleteData() {
    boolean isData = count >= Http2Frame.HEAD_BYTES && bytes[3] == Http2Frame.DATA;
    return isData ? ByteBuffer.wrap(bytes).getInt() >>> 8 : 0;
  }

  /** Returns the frames that are complete now. */
  List<Http2Frame> add(byte[] more) {
    int from = Math.min(skipped, more.length);
    skipped -= from;
    int added = more.length - from;
    if (count + added > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, count + added));
    }
    System.arraycopy(more, from, bytes, count, added);
    count += added;
    return take();
  }

  private List<Http2Frame> take() {
    List<Http2Frame> frames = new ArrayList<>();
    int at = 0;
    while (count - at >= Http2Frame.HEAD_BYTES) {
      ByteBuffer head = ByteBuffer.wrap(bytes, at, Http2Frame.HEAD_BYTES);
      int word = head.getInt();
      int payload = at + Http2Frame.HEAD_BYTES;
      int end = payload + (word >>> 8);
      if (end > count) {
        break;
      }
      int flags = head.get() & 0xFF;
      byte[] content = Arrays.copyOfRange(bytes, payload, end);
      frames.add(new Http2Frame(word & 0xFF, flags, head.getInt(), content));
      at = end;
    }
    count -= at;
    System.arraycopy(bytes, at, bytes, 0, count);
    return frames;
  }
}
