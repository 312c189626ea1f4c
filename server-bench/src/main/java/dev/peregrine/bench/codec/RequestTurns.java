package dev.peregrine.bench.codec;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/** Turns of a connection that stays, each of which reads some requests. */
public abstract class RequestTurns extends Turns {
  private static final int REQUESTS = 65_536;

  /** Requests per read. */
  @Param({"1", "16"})
  int depth;

  RequestTurns() {}

  @Override
  final int turns() {
    return REQUESTS / depth;
  }

  /** Answers requests. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long answer() {
    return run();
  }
}
