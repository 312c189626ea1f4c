package dev.peregrine.testing;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;

/** Listeners to the content of a request, made of what they do; errors they leave alone. */
public final class Listeners {
  private Listeners() {}

  /** What is done with a piece of the content. */
  @FunctionalInterface
  public interface OnData {
    void accept(Bytes data) throws Exception;
  }

  /** What is done at the end. */
  @FunctionalInterface
  public interface OnEnd {
    void run() throws Exception;
  }

  public static BodyListener of(OnData onData, OnEnd onEnd) {
    return new BodyListener() {
      @Override
      public void onData(Bytes data) throws Exception {
        onData.accept(data);
      }

      @Override
      public void onEnd() throws Exception {
        onEnd.run();
      }
    };
  }
}
