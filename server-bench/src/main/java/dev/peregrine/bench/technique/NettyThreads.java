package dev.peregrine.bench.technique;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads on which Netty finds its caches and recycled objects as fast as on its event loops. */
public final class NettyThreads extends ThreadPoolExecutor {
  /** Called by JMH. */
  public NettyThreads(int threads, String prefix) {
    super(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        new DefaultThreadFactory(prefix));
  }
}
