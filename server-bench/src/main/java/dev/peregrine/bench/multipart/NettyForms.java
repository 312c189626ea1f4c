package dev.peregrine.bench.multipart;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import java.nio.ByteBuffer;

/** Netty's decoder, which keeps the file in memory. */
final class NettyForms implements FormDecoder {
  private final Form form;
  private final DefaultHttpRequest request =
      new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");

  NettyForms(Form form) {
    this.form = form;
    request.headers().set("Content-Type", "multipart/form-data; boundary=" + Form.BOUNDARY);
  }

  @Override
  public long decode() {
    HttpPostMultipartRequestDecoder decoder =
        new HttpPostMultipartRequestDecoder(new DefaultHttpDataFactory(false), request);
    try {
      for (ByteBuffer piece : form.buffers()) {
        decoder.offer(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)));
      }
      decoder.offer(LastHttpContent.EMPTY_LAST_CONTENT);
      return ((FileUpload) decoder.getBodyHttpDatas().getFirst()).length();
    } finally {
      decoder.destroy();
    }
  }
}
