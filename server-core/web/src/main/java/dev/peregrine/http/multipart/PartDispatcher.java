package dev.peregrine.http.multipart;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.MemoryRange;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.arriving.LentBytes;
import dev.peregrine.http.arriving.PacedContent;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Passes the parts of a form to a listener as they arrive; see {@link PacedContent}. */
final class PartDispatcher implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();

  private final PacedContent content;
  private final MultipartDecoder decoder;
  private final MultipartListener target;

  PartDispatcher(
      RequestBody source, Response response, MultipartDecoder decoder, MultipartListener target) {
    this.content = new PacedContent(source, response, this::passOn);
    this.decoder = decoder;
    this.target = target;
  }

  @Override
  public void onData(Bytes data) throws Exception {
    if (content.isOver()) {
      return;
    }
    if (decoder.hasInput() || content.hasNext()) {
      content.add(data.toArray()); // another thread has paused, which takes effect later
    } else if (data instanceof MemoryRange range) {
      decoder.input(range.segment(), range.from(), (long) range.from() + data.length());
    } else {
      input(data.toArray());
    }
    content.passOn();
    if (decoder.hasInput() && !content.isOver()) {
      decoder.keepInput();
    }
  }

  private void input(byte[] piece) {
    decoder.input(MemorySegment.ofArray(piece), 0, piece.length);
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
    LentBytes data = new LentBytes(decoder.data(), decoder.dataFrom(), decoder.dataTo());
    try {
      target.onData(data);
    } finally {
      data.close();
    }
  }

  private boolean nextPiece() throws Exception {
    byte @Nullable [] piece = content.next();
    if (piece != null) {
      input(piece);
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
