package dev.peregrine.bench.multipart;

import java.nio.ByteBuffer;
import java.util.Iterator;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.io.Content;

/** Jetty's parser, which passes the bytes on. */
final class JettyForms implements FormDecoder {
  private final Form form;

  JettyForms(Form form) {
    this.form = form;
  }

  @Override
  public long decode() {
    Size size = new Size();
    MultiPart.Parser parser = new MultiPart.Parser(Form.BOUNDARY, size);
    for (Iterator<ByteBuffer> pieces = form.buffers().iterator(); pieces.hasNext(); ) {
      ByteBuffer piece = pieces.next();
      parser.parse(Content.Chunk.from(piece, !pieces.hasNext()));
    }
    return size.bytes;
  }

  /** Counts the bytes of a part. */
  private static final class Size implements MultiPart.Parser.Listener {
    private long bytes;

    @Override
    public void onPartContent(Content.Chunk chunk) {
      bytes += chunk.remaining();
    }

    @Override
    public void onFailure(Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
