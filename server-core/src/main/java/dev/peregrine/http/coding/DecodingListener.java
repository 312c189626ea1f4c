package dev.peregrine.http.coding;

import dev.peregrine.base.FailureLog;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Decodes content between the server and a listener, no further than the listener takes it. On the
 * event loop, except for {@link #pause} and {@link #resume}.
 */
final class DecodingListener implements BodyListener {
  private static final FailureLog FAILURES = new FailureLog();
  private static final int DECODED_BYTES = 16 * 1024;

  private final RequestBody source;
  private final Response response;
  private final BodyListener target;
  private final ContentDecoder decoder;
  private final DecodingBudget budget;
  private final byte[] decoded = new byte[DECODED_BYTES];
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(); // received while paused
  private boolean any;
  private boolean sourceEnded;
  private boolean over;
  private boolean draining;
  private volatile boolean paused;

  DecodingListener(
      RequestBody source,
      Response response,
      BodyListener target,
      ContentDecoder decoder,
      DecodingBudget budget) {
    this.source = source;
    this.response = response;
    this.target = target;
    this.decoder = decoder;
    this.budget = budget;
  }

  @Override
  public void onData(Bytes data) throws Exception {
    if (!over) {
      any = true;
      waiting.add(data.toArray());
      drain();
    }
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
      end();
      target.onError(cause);
    }
  }

  void pause() {
    paused = true;
    source.pause();
  }

  void resume() {
    paused = false;
    response.onLoop(this::goOn);
  }

  private void goOn() {
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
      while (!paused && !over && decodeSome()) {
        // Decodes until the listener pauses or more input is needed.
      }
    } catch (HttpException refused) {
      if (!over) {
        end();
        tell(refused);
      }
      throw refused;
    } catch (Throwable failure) {
      end();
      throw failure;
    } finally {
      draining = false;
    }
  }

  /** Notifies the listener of the failure. The client gets it too, even if the listener throws. */
  private void tell(HttpException refused) {
    try {
      target.onError(new IOException(refused.getMessage(), refused));
    } catch (Throwable thrown) {
      refused.addSuppressed(thrown);
      FAILURES.add("onError of a body listener failed", thrown);
    }
  }

  /** Decodes a piece. Returns true if another call may decode more. */
  private boolean decodeSome() throws Exception {
    int bytes = decoder.decode(decoded);
    if (bytes > 0) {
      budget.countDecoded(bytes);
      DecodedBytes view = new DecodedBytes(decoded, bytes);
      try {
        target.onData(view);
      } finally {
        view.close();
      }
      return true;
    }
    byte[] next = waiting.poll();
    if (next != null) {
      decoder.input(next, 0, next.length);
      return true;
    }
    if (sourceEnded) {
      if (any && !decoder.isComplete()) {
        throw new HttpException(400, "the compressed content is incomplete");
      }
      end();
      target.onEnd();
    }
    return false;
  }

  private void end() {
    over = true;
    waiting.clear();
    decoder.close();
  }
}
