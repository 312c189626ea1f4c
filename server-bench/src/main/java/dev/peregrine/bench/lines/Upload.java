package dev.peregrine.bench.lines;

import dev.peregrine.base.MemoryRange;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.RetainedBytes;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An upload of 10 MB in lines of 80 bytes, which arrives in pieces of 64 KB. */
final class Upload implements RequestBody {
  static final int LINE_BYTES = 80;
  static final int LINES = 10_000_000 / (LINE_BYTES + 1);

  // not a multiple of the length of a line
  private static final int PIECE_BYTES = 64 * 1024;

  private final byte[] content =
      ("0123456789".repeat(LINE_BYTES / 10) + "\n")
          .repeat(LINES)
          .getBytes(StandardCharsets.US_ASCII);
  private final List<MemorySegment> pieces = new ArrayList<>();

  Upload() {
    MemorySegment all = Arena.ofAuto().allocate(content.length);
    MemorySegment.copy(content, 0, all, ValueLayout.JAVA_BYTE, 0, content.length);
    for (int from = 0; from < content.length; from += PIECE_BYTES) {
      pieces.add(all.asSlice(from, Math.min(PIECE_BYTES, content.length - from)));
    }
  }

  List<MemorySegment> pieces() {
    return pieces;
  }

  @Override
  public long length() {
    return content.length;
  }

  @Override
  public RequestBody maxBytes(long bytesMax) {
    return this;
  }

  @Override
  public RequestBody openEnded() {
    return this;
  }

  @Override
  public InputStream inputStream() {
    return new ByteArrayInputStream(content);
  }

  @Override
  public void receive(BodyListener listener) {
    try {
      for (MemorySegment piece : pieces) {
        listener.onData(new Piece(piece));
      }
      listener.onEnd();
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void pause() {}

  @Override
  public void resume() {}

  @Override
  public String trailer(String name) {
    throw new UnsupportedOperationException();
  }

  /** A piece where it lies. */
  private record Piece(MemorySegment segment) implements Bytes, MemoryRange {
    @Override
    public int from() {
      return 0;
    }

    @Override
    public int length() {
      return (int) segment.byteSize();
    }

    @Override
    public byte get(int index) {
      return segment.get(ValueLayout.JAVA_BYTE, index);
    }

    @Override
    public void copyTo(int from, byte[] target, int targetFrom, int length) {
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, from, target, targetFrom, length);
    }

    @Override
    public int copyTo(int from, ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RetainedBytes retain() {
      throw new UnsupportedOperationException();
    }
  }
}
