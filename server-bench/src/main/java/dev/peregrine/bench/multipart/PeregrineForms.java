package dev.peregrine.bench.multipart;

import dev.peregrine.base.MemoryRange;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.multipart.MultipartFlow;
import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.http.multipart.MultipartListener;
import dev.peregrine.http.multipart.PartHead;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.List;

/** {@link MultipartFlow}, with a request that has only what that reads. */
final class PeregrineForms implements FormDecoder {
  private final Form form;

  PeregrineForms(Form form) {
    this.form = form;
  }

  @Override
  public long decode() {
    Content content = new Content(form);
    Request request =
        proxy(
            Request.class,
            name ->
                name.equals("body")
                    ? content
                    : List.of("multipart/form-data; boundary=" + Form.BOUNDARY));
    Response response = proxy(Response.class, name -> name);
    Size size = new Size();
    MultipartFlow.receive(request, response, MultipartLimits.DEFAULTS, size);
    return size.bytes;
  }

  /** Returns the result of a method by its name. */
  private interface Results {
    Object of(String name);
  }

  private static <T> T proxy(Class<T> type, Results results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> results.of(method.getName())));
  }

  /** Counts the bytes of a part. */
  private static final class Size implements MultipartListener {
    private long bytes;

    @Override
    public void onPart(PartHead part) {}

    @Override
    public void onData(Bytes data) {
      bytes += data.length();
    }

    @Override
    public void onPartEnd() {}

    @Override
    public void onEnd() {}
  }

  /** Content that has arrived. */
  private record Content(Form form) implements RequestBody {
    @Override
    public long length() {
      return form.content().byteSize();
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
    public void receive(BodyListener listener) {
      try {
        for (MemorySegment piece : form.pieces()) {
          listener.onData(new Piece(piece));
        }
        listener.onEnd();
      } catch (Exception impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    @Override
    public InputStream inputStream() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public String trailer(String name) {
      throw new UnsupportedOperationException();
    }
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
    public RetainedBytes retain() {
      throw new UnsupportedOperationException();
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
    public byte[] toArray() {
      return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public String toString(Charset charset) {
      return new String(toArray(), charset);
    }
  }
}
