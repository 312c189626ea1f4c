package dev.peregrine.bench.multipart;

import io.undertow.server.DefaultByteBufferPool;
import io.undertow.util.HeaderMap;
import io.undertow.util.MultipartParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Undertow's parser, which passes the bytes on. */
final class UndertowForms implements FormDecoder {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final Form form;
  private final DefaultByteBufferPool pool = new DefaultByteBufferPool(true, BUFFER_BYTES);
  private final byte[] boundary = Form.BOUNDARY.getBytes(StandardCharsets.US_ASCII);

  UndertowForms(Form form) {
    this.form = form;
  }

  @Override
  public long decode() throws IOException {
    Size size = new Size();
    MultipartParser.ParseState parser =
        MultipartParser.beginParse(pool, size, boundary, StandardCharsets.UTF_8.name());
    for (ByteBuffer piece : form.buffers()) {
      parser.parse(piece);
    }
    return size.bytes;
  }

  /** Counts the bytes of a part. */
  private static final class Size implements MultipartParser.PartHandler {
    private long bytes;

    @Override
    public void beginPart(HeaderMap headers) {}

    @Override
    public void data(ByteBuffer buffer) {
      bytes += buffer.remaining();
    }

    @Override
    public void endPart() {}
  }
}
