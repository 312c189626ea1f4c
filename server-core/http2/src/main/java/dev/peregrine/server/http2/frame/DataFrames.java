package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.ContentQueue;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes DATA frames (RFC 9113 section 6.1). One per event loop. */
public final class DataFrames {
  private final byte[] head = new byte[Frame.HEAD_BYTES];

  /**
   * Writes a frame.
   *
   * @param content whose first bytes are moved into the frame; null for none
   * @throws IOException if the content can't be read; then nothing was written
   */
  public void write(
      OutboundQueue out, int stream, @Nullable ContentQueue content, int bytes, boolean ends)
      throws IOException {
    int flags = ends ? Frame.END_STREAM : 0;
    int length = Frame.head(head, 0, bytes, Frame.DATA, flags, stream);
    if (content == null) {
      out.appendCopy(head, 0, length);
    } else {
      content.moveTo(out, head, bytes);
    }
  }

  /** Writes a frame with a copy of bytes. */
  public void writeCopy(OutboundQueue out, int stream, MemorySegment source, long from, int bytes) {
    int length = Frame.head(head, 0, bytes, Frame.DATA, 0, stream);
    out.appendCopy(head, 0, length);
    out.append(source, from, bytes);
  }
}
