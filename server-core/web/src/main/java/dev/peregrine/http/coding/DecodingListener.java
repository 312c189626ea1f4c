package dev.peregrine.http.coding;

import dev.peregrine.base.FailureLog;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.arriving.LentBytes;
import dev.peregrine.http.arriving.PacedContent;
import dev.peregrine.http.coding.inflate.ContentDecoder;
import dev.peregrine.http.coding.inflate.DecodingBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Decodes content between the server and a listener; see {@link PacedContent}. */
final class DecodingListener implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();
  private static final int DECODED_BYTES = 16 * 1024;

  private final PacedContent content;
  private final BodyListener target;
  private final ContentDecoder decoder;
  private final DecodingBudget budget;
  private final byte[] decoded = new byte[DECODED_BYTES];
  private final MemorySegment memory = MemorySegment.ofArray(decoded);
  private boolean any;

  DecodingListener(
      RequestBody source,
      Response response,
      BodyListener target,
      ContentDecoder decoder,
      DecodingBudget budget) {
    this.content = new PacedContent(source, response, this::passOn);
    this.target = target;
    this.decoder = decoder;
    this.budget = budget;
  }

  @Override
  public void onData(Bytes data) throws Exception {
    if (!content.isOver()) {
      any = true;
      content.add(data.toArray());
      content.passOn();
    }
  }

  @Override
  public void onEnd() throws Exception {
    content.endSource();
  }

  @Override
  public void onError(IOException cause) {
    if (!content.isOver()) {
      end();
      target.onError(cause);
    }
  }

  void pause() {
    content.pause();
  }

  void resume() {
    content.resume();
  }

  private boolean passOn() throws Exception {
    try {
      return decodeSome();
    } catch (HttpException rejected) {
      if (!content.isOver()) {
        end();
        IOException cause = new IOException(rejected.getMessage(), rejected);
        throw content.reject(rejected, cause, target::onError, FAILURES);
      }
      throw rejected;
    } catch (Throwable failure) {
      end();
      throw failure;
    }
  }

  /** Decodes a piece. Returns true if another call may decode more. */
  private boolean decodeSome() throws Exception {
    int bytes = decoder.decode(decoded);
    if (bytes > 0) {
      budget.countDecoded(bytes);
      LentBytes view = new LentBytes(memory, 0, bytes);
      try {
        target.onData(view);
      } finally {
        view.close();
      }
      return true;
    }
    byte[] next = content.next();
    if (next != null) {
      decoder.input(next, 0, next.length);
      return true;
    }
    if (content.hasSourceEnded()) {
      if (any && !decoder.isComplete()) {
        throw new HttpException(400, "the compressed content is incomplete");
      }
      end();
      target.onEnd();
    }
    return false;
  }

  private void end() {
    content.end();
    decoder.close();
  }
}
