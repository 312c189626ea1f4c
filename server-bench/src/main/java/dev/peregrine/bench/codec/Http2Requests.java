package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.FieldBlocks;
import dev.peregrine.bench.corpus.FieldList;
import dev.peregrine.bench.corpus.Http2Frames;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The bytes of a client of HTTP/2: its preface, then in each read some HEADERS frames for new
 * streams, and a WINDOW_UPDATE frame for the content of their responses.
 */
final class Http2Requests implements ScriptedSocket.Script {
  private static final int STREAM_OFFSET = 5;

  private final ByteBuffer begin;
  private final ByteBuffer requests;
  private final int[] streamAt; // the indices of the identifiers
  private int nextStream = 3; // the first one is that of the preface
  private boolean begun;

  /**
   * Creates a script.
   *
   * @param depth requests of a read
   * @param contentBytes the content of each response
   */
  Http2Requests(FieldList list, int depth, int contentBytes) {
    FieldBlocks blocks = FieldBlocks.of(list, true);
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    first.writeBytes(Http2Frames.begin());
    first.writeBytes(request(1, block(blocks, 0)));
    begin = direct(first);
    streamAt = new int[depth];
    ByteArrayOutputStream others = new ByteArrayOutputStream();
    for (int i = 0; i < depth; i++) {
      streamAt[i] = others.size() + STREAM_OFFSET;
      byte[] block = block(blocks, 1 + i % (blocks.count() - 1));
      others.writeBytes(request(0, block));
    }
    byte[] increment = ByteBuffer.allocate(Integer.BYTES).putInt(depth * contentBytes).array();
    others.writeBytes(Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, 0, increment));
    requests = direct(others);
  }

  private static byte[] request(int stream, byte[] block) {
    return Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.WHOLE_REQUEST, stream, block);
  }

  private static byte[] block(FieldBlocks blocks, int index) {
    int from = blocks.start(index);
    MemorySegment block = blocks.segment().asSlice(from, blocks.end(index) - from);
    return block.toArray(ValueLayout.JAVA_BYTE);
  }

  private static ByteBuffer direct(ByteArrayOutputStream bytes) {
    return ByteBuffer.allocateDirect(bytes.size()).put(0, bytes.toByteArray());
  }

  @Override
  public ByteBuffer next() {
    if (!begun) {
      begun = true;
      return begin;
    }
    for (int at : streamAt) {
      requests.putInt(at, nextStream);
      nextStream += 2;
    }
    return requests;
  }
}
