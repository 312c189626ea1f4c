package dev.peregrine.http.multipart;

import dev.peregrine.base.FailureLog;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.arriving.Keeper;
import dev.peregrine.http.arriving.LentBytes;
import dev.peregrine.http.arriving.PacedContent;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import java.io.IOException;

/** Passes the parts of a form to a listener as they arrive; see {@link PacedContent}. */
final class PartDispatcher implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();

  private final PacedContent content;
  private final MultipartDecoder decoder;
  private final MultipartListener target;
  private final Keeper keeper;

  PartDispatcher(
      RequestBody source, Response response, MultipartDecoder decoder, MultipartListener target) {
    this.content = new PacedContent(source, response, this::passOn);
    this.decoder = decoder;
    this.target = target;
    this.keeper = Keeper.of(source);
  }

  @Override
  public void onData(Bytes data) throws Exception {
    content.divide(data, decoder);
  }

  @Override
  public void onEnd() throws Exception {
    content.endSource();
  }

  @Override
  public void onError(IOException cause) {
    if (!content.isOver()) {
      content.end();
      target.onError(cause);
    }
  }

  void pause() {
    content.pause();
  }

  void resume() {
    content.resume();
  }

  /** Passes on one event. Returns true if another call may pass on more. */
  private boolean passOn() throws Exception {
    switch (next()) {
      case PART -> target.onPart(decoder.head());
      case DATA -> passOnData();
      case PART_END -> target.onPartEnd();
      case MORE -> {
        return nextPiece();
      }
    }
    return true;
  }

  private void passOnData() throws Exception {
    LentBytes data = new LentBytes(keeper, decoder.data(), decoder.dataFrom(), decoder.dataTo());
    try {
      target.onData(data);
    } finally {
      data.close();
    }
  }

  private boolean nextPiece() throws Exception {
    if (content.divideNext(decoder)) {
      return true;
    }
    if (content.hasSourceEnded()) {
      checkEnd();
      content.end();
      target.onEnd();
    }
    return false;
  }

  private Event next() {
    try {
      return decoder.next();
    } catch (HttpException rejected) {
      throw notified(rejected);
    }
  }

  private void checkEnd() {
    try {
      decoder.end();
    } catch (HttpException rejected) {
      throw notified(rejected);
    }
  }

  private HttpException notified(HttpException rejected) {
    String reason = String.valueOf(rejected.getMessage());
    IOException cause = new ContentRejectedException(rejected.status(), reason);
    return content.reject(rejected, cause, target::onError, FAILURES);
  }
}
