package dev.peregrine.server.loop;

import dev.peregrine.server.memory.lease.Leases;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Gives the application's buffers back, after the sockets of a loop's turn. */
public final class LeaseCalls extends LoopTask implements Leases.Host {
  private final EventLoop loop;
  private final Leases leases;

  private LeaseCalls(EventLoop loop) {
    this.loop = loop;
    this.leases = loop.bufferPool().leases();
  }

  /** Has a loop, which isn't running yet, give back what its queues have leased. */
  public static void serve(EventLoop loop) {
    loop.bufferPool().leases().serveBy(new LeaseCalls(loop));
  }

  @Override
  public boolean isCurrent() {
    return loop.isCurrent();
  }

  @Override
  public void onDue() {
    loop.execute(this);
  }

  @Override
  protected void run() {
    leases.run();
  }

  @Override
  protected void onRejected() {
    leases.run(); // by the last thread that uses them
  }

  @Override
  public void callSoon(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    loop.execute(new Call(buffer, whenSent));
  }

  /** One call. */
  private static final class Call extends LoopTask {
    private final ByteBuffer buffer;
    private final Consumer<? super ByteBuffer> whenSent;

    Call(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
      this.buffer = buffer;
      this.whenSent = whenSent;
    }

    @Override
    protected void run() {
      Leases.call(buffer, whenSent);
    }

    @Override
    protected void onRejected() {
      Leases.callAtOnce(buffer, whenSent);
    }
  }
}
