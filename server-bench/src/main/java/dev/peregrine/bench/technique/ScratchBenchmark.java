package dev.peregrine.bench.technique;

import dev.peregrine.server.tls.layer.TlsScratch;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Puts bytes together in an array and moves them to direct memory; on two threads. */
@Fork(jvmArgsPrepend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"}) // no page faults
@Threads(2)
public class ScratchBenchmark extends Technique {
  private static final int BYTES_MAX = 16 * 1024;
  private static final ThreadLocal<byte[]> LOCAL =
      ThreadLocal.withInitial(() -> new byte[BYTES_MAX]);

  @Param({"256", "16384"})
  int bytes;

  private final TlsScratch scratch = new TlsScratch();
  private final byte[] source = new byte[BYTES_MAX];
  private final ByteBuffer target = ByteBuffer.allocateDirect(BYTES_MAX);

  /** The arrays that the threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<byte[]> arrays = new ArrayDeque<>();

    byte[] take() {
      lock.lock();
      try {
        byte[] taken = arrays.poll();
        return taken == null ? new byte[BYTES_MAX] : taken;
      } finally {
        lock.unlock();
      }
    }

    void give(byte[] array) {
      lock.lock();
      try {
        arrays.push(array);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Checks that all forms move the same bytes. */
  @Setup
  public void setUp(Shared shared) {
    new Random(1).nextBytes(source);
    for (int round = 0; round < 2; round++) {
      check(bytes == fresh() && isMoved(), "fresh");
      check(bytes == sharedPool(shared) && isMoved(), "shared pool");
      check(bytes == threadLocal() && isMoved(), "thread local");
      check(bytes == perLoop() && isMoved(), "per loop");
    }
  }

  /** A new array each time. */
  @Benchmark
  public int fresh() {
    return move(ByteBuffer.allocate(bytes));
  }

  /** Arrays that all threads share. */
  @Benchmark
  public int sharedPool(Shared shared) {
    byte[] array = shared.take();
    int moved = move(ByteBuffer.wrap(array));
    shared.give(array);
    return moved;
  }

  /** An array of the thread, whichever it is. */
  @Benchmark
  public int threadLocal() {
    return move(ByteBuffer.wrap(LOCAL.get()));
  }

  /** The server's way: an array of the event loop. */
  @Benchmark
  public int perLoop() {
    return move(scratch.content());
  }

  private int move(ByteBuffer array) {
    array.put(source, 0, bytes);
    target.clear().put(array.flip());
    return target.position();
  }

  private boolean isMoved() {
    boolean same = target.flip().equals(ByteBuffer.wrap(source, 0, bytes));
    target.clear();
    for (int i = 0; i < bytes; i++) {
      target.put(i, (byte) 0);
    }
    return same;
  }
}
