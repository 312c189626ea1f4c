package example;

import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A method of an application, outside of Peregrine's packages, that blocks or computes if it is
 * asked to, and can name its thread.
 */
public final class BlockingTexts implements ServerCalls.UnaryMethod<String, String> {
  /** The texts whose calls have begun to block or to compute. */
  public final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

  /** Ends those calls. */
  public final CountDownLatch go = new CountDownLatch(1);

  @Override
  public void invoke(String text, StreamObserver<String> answers) {
    if (text.equals("block")) {
      begun.add(text);
      awaitGo();
    } else if (text.equals("compute")) {
      begun.add(text);
      while (go.getCount() > 0) {
        Thread.onSpinWait();
      }
    }
    answers.onNext(text.equals("thread") ? Thread.currentThread().toString() : text);
    answers.onCompleted();
  }

  private void awaitGo() {
    try {
      go.await();
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
