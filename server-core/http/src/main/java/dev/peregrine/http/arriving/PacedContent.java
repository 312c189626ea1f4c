package dev.peregrine.http.arriving;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.MemoryRange;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Content that is decoded between the server and a listener, step by step and no further than the
 * listener takes it. On the event loop, except for {@link #pause} and {@link #resume}.
 */
public final class PacedContent {
  private final RequestBody source;
  private final Response response;
  private final Step step;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(); // received while paused
  private boolean sourceEnded;
  private boolean over;
  private boolean running;
  private volatile boolean paused;

  /** A step of a decoder. */
  @FunctionalInterface
  public interface Step {
    /** Passes something on to the listener. Returns true if another step may pass on more. */
    boolean run() throws Exception;
  }

  /** Divides content where it lies. */
  public interface Divider {
    /** Takes the next bytes, which stay as they are until it has looked at all of them. */
    void input(MemorySegment bytes, long from, long to);

    /** Returns true if bytes wait that it hasn't looked at. */
    boolean hasInput();

    /** Copies these bytes, because their memory ends. */
    void keepInput();
  }

  /** Creates content without bytes. */
  public PacedContent(RequestBody source, Response response, Step step) {
    this.source = source;
    this.response = response;
    this.step = step;
  }

  /** Adds bytes that have arrived, for {@link #next}. */
  public void add(byte[] bytes) {
    waiting.add(bytes);
  }

  /** Returns true if added bytes wait for {@link #next}. */
  public boolean hasNext() {
    return !waiting.isEmpty();
  }

  /** Returns the next bytes that were added; null if none wait. */
  public byte @Nullable [] next() {
    return waiting.poll();
  }

  /** Has a divider look at bytes that have arrived, and keep those that wait for the listener. */
  public void divide(Bytes data, Divider divider) throws Exception {
    if (over) {
      return;
    }
    if (divider.hasInput() || hasNext()) {
      add(data.toArray()); // another thread has paused, which takes effect later
    } else if (data instanceof MemoryRange range) {
      divider.input(range.segment(), range.from(), (long) range.from() + data.length());
    } else {
      input(data.toArray(), divider);
    }
    passOn();
    if (divider.hasInput() && !over) {
      divider.keepInput();
    }
  }

  /** Gives a divider the next bytes that were added. Returns false if none wait. */
  public boolean divideNext(Divider divider) {
    byte[] piece = next();
    if (piece != null) {
      input(piece, divider);
    }
    return piece != null;
  }

  private static void input(byte[] piece, Divider divider) {
    divider.input(MemorySegment.ofArray(piece), 0, piece.length);
  }

  /** Returns true if no bytes arrive any more. */
  public boolean hasSourceEnded() {
    return sourceEnded;
  }

  /** Returns true if nothing is passed on any more. */
  public boolean isOver() {
    return over;
  }

  /** Lets nothing be passed on any more. */
  public void end() {
    over = true;
    waiting.clear();
  }

  /** The source has ended: passes on what is left, now or after a pause. */
  public void endSource() throws Exception {
    sourceEnded = true;
    passOn();
    if (!over) {
      response.async(); // paused: the end reaches the listener later
    }
  }

  /** Takes steps until the listener pauses or more bytes are needed. */
  public void passOn() throws Exception {
    if (running) {
      return; // called by the listener that is being called
    }
    running = true;
    try {
      boolean more = true;
      while (more && !paused && !over) {
        more = step.run();
      }
    } catch (Throwable failure) {
      end();
      throw failure;
    } finally {
      running = false;
    }
  }

  /** Lets no further step begin; callable from any thread. */
  public void pause() {
    paused = true;
    source.pause();
  }

  /** Takes back {@link #pause}; callable from any thread. */
  public void resume() {
    paused = false;
    response.onLoop(this::proceed);
  }

  private void proceed() {
    try {
      passOn();
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

  /**
   * Ends the content because it is rejected, and notifies the listener. The client gets the
   * rejection too, even if the listener throws.
   *
   * @param onError the listener's
   * @param failures where a failure of the listener is logged
   * @return the rejection, to be thrown
   */
  public HttpException reject(
      HttpException rejection,
      IOException cause,
      Consumer<IOException> onError,
      FailureLog failures) {
    end();
    try {
      onError.accept(cause);
    } catch (Throwable thrown) {
      rejection.addSuppressed(thrown);
      failures.add("onError of a listener for content failed", thrown);
    }
    return rejection;
  }
}
