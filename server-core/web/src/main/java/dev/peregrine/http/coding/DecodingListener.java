package dev.peregrine.http.coding;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.Scratch;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.arriving.Keeper;
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
  private final Keeper keeper;
  private final ContentDecoder decoder;
  private final DecodingBudget budget;
  private boolean any;

  DecodingListener(
      RequestBody source,
      Response response,
      BodyListener target,
      ContentDecoder decoder,
      DecodingBudget budget) {
    this.content = new PacedContent(source, response, this::passOn);
    this.target = target;
    this.keeper = Keeper.of(source);
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
    byte[] decoded = Scratch.take(DECODED_BYTES);
    int bytes = decoder.decode(decoded, 0, DECODED_BYTES);
    if (bytes > 0) {
      passOn(decoded, bytes);
    }
    Scratch.giveBack(decoded); // lost if something throws
    return bytes > 0 || continues();
  }

  private void passOn(byte[] decoded, int bytes) throws Exception {
    budget.countDecoded(bytes);
    LentBytes view = new LentBytes(keeper, MemorySegment.ofArray(decoded), 0, bytes);
    try {
      target.onData(view);
    } finally {
      view.close();
    }
  }

  /** Continues with what has arrived. Returns true if another call may decode more. */
  private boolean continues() throws Exception {
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
