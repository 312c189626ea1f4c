package dev.peregrine.http.lines;

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
import java.io.IOException;

/** Passes lines on to a listener as far as it takes them. On the event loop. */
final class LineDispatcher implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();

  private final PacedContent content;
  private final LineSplitter splitter;
  private final LineListener target;
  private final LentBytes view; // one for all lines

  LineDispatcher(
      RequestBody source, Response response, LineSplitter splitter, LineListener target) {
    this.content = new PacedContent(source, response, this::passOn);
    this.splitter = splitter;
    this.target = target;
    this.view = new LentBytes(Keeper.of(source));
  }

  @Override
  public void onData(Bytes data) throws Exception {
    content.divide(data, splitter);
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

  /** Passes on a line. Returns true if another call may pass on more. */
  private boolean passOn() throws Exception {
    if (next()) {
      passOnLine();
      return true;
    }
    if (content.divideNext(splitter)) {
      return true;
    }
    if (content.hasSourceEnded()) {
      content.end();
      target.onEnd();
    }
    return false;
  }

  private boolean next() {
    try {
      return splitter.next() || (content.hasSourceEnded() && !content.hasNext() && splitter.last());
    } catch (HttpException rejected) {
      String reason = String.valueOf(rejected.getMessage());
      IOException cause = new ContentRejectedException(rejected.status(), reason);
      throw content.reject(rejected, cause, target::onError, FAILURES);
    }
  }

  private void passOnLine() throws Exception {
    view.open(splitter.line(), splitter.lineFrom(), splitter.lineTo());
    try {
      target.onLine(view);
    } finally {
      view.close();
    }
  }
}
