package dev.peregrine.bench.technique;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** Stores to fields with increasing guarantees about their visibility. */
public class StoreOrderBenchmark extends Technique {
  private static final int STORES = 2;
  private static final VarHandle FIRST = field("first");
  private static final VarHandle SECOND = field("second");

  private long first;
  private long second;
  private long count;

  /** Checks that all forms store. */
  @Setup
  public void setUp() {
    plain();
    checkStored();
    opaque();
    checkStored();
    release();
    checkStored();
    sequential();
    checkStored();
  }

  /** Other threads see it at some time, or never. */
  @Benchmark
  @OperationsPerInvocation(STORES)
  public void plain() {
    long value = count++;
    first = value;
    second = value;
  }

  /** Other threads see it at some time. */
  @Benchmark
  @OperationsPerInvocation(STORES)
  public void opaque() {
    long value = count++;
    FIRST.setOpaque(this, value);
    SECOND.setOpaque(this, value);
  }

  /** Other threads see it after all earlier stores. */
  @Benchmark
  @OperationsPerInvocation(STORES)
  public void release() {
    long value = count++;
    FIRST.setRelease(this, value);
    SECOND.setRelease(this, value);
  }

  /** Other threads see it before any later load: volatile. */
  @Benchmark
  @OperationsPerInvocation(STORES)
  public void sequential() {
    long value = count++;
    FIRST.setVolatile(this, value);
    SECOND.setVolatile(this, value);
  }

  private void checkStored() {
    checkEqual(count - 1, first, second);
  }

  private static VarHandle field(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(StoreOrderBenchmark.class, name, long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }
}
