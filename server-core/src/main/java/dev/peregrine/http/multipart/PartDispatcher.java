package dev.peregrine.http.multipart;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.MemoryRange;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Decodes content between the server and a listener, no further than the listener takes it. On the
 * event loop, except for {@link #pause} and {@link #resume}.
 */
final class PartDispatcher implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();

  private final RequestBody source;
  private final Response response;
  private final MultipartDecoder decoder;
  private final MultipartListener target;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(); // received while paused
  private boolean sourceEnded;
  private boolean over;
  private boolean draining;
  private volatile boolean paused;

  PartDispatcher(
      RequestBody source, Response response, MultipartDecoder decoder, MultipartListener target) {
    this.source = source;
    this.response = response;
    this.decoder = decoder;
    this.target = target;
  }

  @Override
  public void onData(Bytes data) throws Exception {
    if (over) {
      return;
    }
    if (decoder.hasInput() || !waiting.isEmpty()) {
      waiting.add(data.toArray()); // another thread has paused, which takes effect later
    } else if (data instanceof MemoryRange range) {
      decoder.input(range.segment(), range.from(), (long) range.from() + data.length());
    } else {
      add(data.toArray());
    }
    drain();
    if (decoder.hasInput() && !over) {
      decoder.keepInput();
    }
  }

  private void add(byte[] piece) {
    decoder.input(MemorySegment.ofArray(piece), 0, piece.length);
  }

  @Override
  public void onEnd() throws Exception {
    sourceEnded = true;
    drain();
    if (!over) {
      response.async(); // paused: the end reaches the listener later
    }
  }

  @Override
  public void onError(IOException cause) {
    if (!over) {
      over = true;
      target.onError(cause);
    }
  }

  void pause() {
    paused = true;
    source.pause();
  }

  void resume() {
    paused = false;
    response.onLoop(this::proceed);
  }

  private void proceed() {
    try {
      drain();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      response.fail(failure);
      return;
    }
    if (!paused && !over) {
      source.resume();
    }
  }

  private void drain() throws Exception {
    if (draining) {
      return; // called by the listener that is being called
    }
    draining = true;
    try {
      while (!paused && !over && passOn()) {
        // passes on what has arrived until the listener pauses or more is needed
      }
    } catch (Throwable failure) {
      over = true;
      waiting.clear();
      throw failure;
    } finally {
      draining = false;
    }
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
    PartBytes data = new PartBytes(decoder.data(), decoder.dataFrom(), decoder.dataTo());
    try {
      target.onData(data);
    } finally {
      data.close();
    }
  }

  private boolean nextPiece() throws Exception {
    byte @Nullable [] piece = waiting.poll();
    if (piece != null) {
      add(piece);
      return true;
    }
    if (sourceEnded) {
      checkEnd();
      over = true;
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

  /** Notifies the listener of a failure. The client gets it too, even if the listener throws. */
  private HttpException notified(HttpException rejected) {
    over = true;
    String reason = String.valueOf(rejected.getMessage());
    try {
      target.onError(new ContentRejectedException(rejected.status(), reason));
    } catch (Throwable thrown) {
      rejected.addSuppressed(thrown);
      FAILURES.add("onError of a multipart listener failed", thrown);
    }
    return rejected;
  }
}
