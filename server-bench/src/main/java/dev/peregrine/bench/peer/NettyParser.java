package dev.peregrine.bench.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/** Netty's decoder without a pipeline; heads only, with its default validation. */
final class NettyParser implements PeerParser {
  private static final int BYTES_MAX = 64 * 1024;

  private final ByteBuf bytes;
  private final HeadDecoder decoder = new HeadDecoder();
  private final List<Object> decoded = new ArrayList<>();

  NettyParser(byte[] heads) {
    bytes = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(heads.length).put(0, heads));
  }

  @Override
  public long parseAll() throws Exception {
    bytes.readerIndex(0);
    long fields = 0;
    while (bytes.isReadable()) {
      int before = bytes.readerIndex();
      decoder.decodeHead(bytes, decoded);
      if (bytes.readerIndex() == before && decoded.isEmpty()) {
        throw new IllegalStateException("Netty wants more at " + before);
      }
      for (int i = 0; i < decoded.size(); i++) {
        if (decoded.get(i) instanceof HttpRequest request) {
          if (request.decoderResult().isFailure()) {
            throw new IllegalStateException(request.decoderResult().cause());
          }
          fields += request.headers().size();
        }
      }
      decoded.clear();
    }
    return fields;
  }

  private static final class HeadDecoder extends HttpRequestDecoder {
    HeadDecoder() {
      super(new HttpDecoderConfig().setMaxInitialLineLength(BYTES_MAX).setMaxHeaderSize(BYTES_MAX));
    }

    @NullUnmarked // outside of a pipeline, the decoder has no context, and gets null
    void decodeHead(ByteBuf in, List<Object> out) throws Exception {
      decode(null, in, out);
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
      return true;
    }
  }
}
