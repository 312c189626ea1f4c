package dev.peregrine.testing;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import java.io.IOException;
import java.util.function.Consumer;

/** Listeners to the content of a request, as lambda expressions. */
public final class Listeners {
  private Listeners() {}

  /** The action for a piece of the content. */
  @FunctionalInterface
  public interface OnData {
    void accept(Bytes data) throws Exception;
  }

  /** The action at the end. */
  @FunctionalInterface
  public interface OnEnd {
    void run() throws Exception;
  }

  /** A listener that ignores errors. */
  public static BodyListener of(OnData onData, OnEnd onEnd) {
    return of(onData, onEnd, ignored -> {});
  }

  /** A listener. */
  public static BodyListener of(OnData onData, OnEnd onEnd, Consumer<IOException> onError) {
    return new BodyListener() {
      @Override
      public void onData(Bytes data) throws Exception {
        onData.accept(data);
      }

      @Override
      public void onEnd() throws Exception {
        onEnd.run();
      }

      @Override
      public void onError(IOException cause) {
        onError.accept(cause);
      }
    };
  }
}
