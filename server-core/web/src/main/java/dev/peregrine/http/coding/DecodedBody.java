package dev.peregrine.http.coding;

import dev.peregrine.base.Range;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.arriving.Keeper;
import dev.peregrine.http.coding.inflate.ContentDecoder;
import dev.peregrine.http.coding.inflate.DecodingBudget;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Content that is decoded as it is taken. */
final class DecodedBody implements RequestBody, Keeper {
  private final RequestBody source;
  private final Response response;
  private final boolean gzip;
  private final DecodingBudget budget;
  private volatile @Nullable DecodingListener listening;

  DecodedBody(RequestBody source, Response response, boolean gzip, DecodingBudget budget) {
    this.source = source;
    this.response = response;
    this.gzip = gzip;
    this.budget = budget;
  }

  @Override
  public RetainedBytes keep(MemorySegment memory, long from, int length) {
    return Keeper.of(source).keep(memory, from, length);
  }

  @Override
  public long length() {
    return source.length() == 0 ? 0 : -1;
  }

  @Override
  public RequestBody maxBytes(long bytesMax) {
    Range.checkAtLeast("maxBytes", bytesMax, 0);
    budget.limit(bytesMax);
    return this;
  }

  @Override
  public RequestBody openEnded() {
    source.openEnded();
    budget.limit(Long.MAX_VALUE);
    return this;
  }

  @Override
  public InputStream inputStream() {
    InputStream encoded = source.inputStream();
    return new DecodedInputStream(encoded, source.length(), new ContentDecoder(gzip), budget);
  }

  @Override
  public void receive(BodyListener listener) {
    Objects.requireNonNull(listener, "listener");
    ContentDecoder decoder = new ContentDecoder(gzip);
    DecodingListener decoding = new DecodingListener(source, response, listener, decoder, budget);
    try {
      source.receive(decoding);
      listening = decoding;
    } catch (RuntimeException refused) {
      decoder.close();
      throw refused;
    }
  }

  @Override
  public void pause() {
    DecodingListener decoding = listening;
    if (decoding != null) {
      decoding.pause();
    } else {
      source.pause();
    }
  }

  @Override
  public void resume() {
    DecodingListener decoding = listening;
    if (decoding != null) {
      decoding.resume();
    } else {
      source.resume();
    }
  }

  @Override
  public @Nullable String trailer(String name) {
    return source.trailer(name);
  }
}
