package dev.peregrine.bench.compare.load;

import dev.peregrine.bench.compare.process.CpuPins;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The built-in generator: one thread, one selector, all connections of a workload. */
public final class NioGenerator implements LoadGenerator {
  private static final int SCRATCH_BYTES = 256 * 1024;
  private static final long SELECT_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("generator").factory());
  private final Duration patience;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);

  /** Creates a generator whose thread runs on the generator's processor. */
  public NioGenerator(CpuPins pins) {
    this(pins, PATIENCE);
  }

  /** Creates a generator with patience for a first response that takes longer than a run. */
  NioGenerator(CpuPins pins, Duration patience) {
    this.patience = patience;
    thread.execute(pins::pinCallingThread);
  }

  @Override
  public String description() {
    return "built-in (java.nio)";
  }

  @Override
  public LoadResult run(Workload workload, int port, Duration time)
      throws IOException, InterruptedException {
    try {
      return thread.submit(() -> new Run(workload, port).go(time)).get();
    } catch (ExecutionException failure) {
      throw new IOException(failure.getCause());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** One run, on the generator's thread. */
  private final class Run {
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final List<NioClient> clients = new ArrayList<>();
    private final Workload workload;
    private final int port;
    private long batches;
    private long errors;
    private @Nullable IOException failure;

    Run(Workload workload, int port) {
      this.workload = workload;
      this.port = port;
    }

    LoadResult go(Duration time) throws IOException {
      try (Selector selector = Selector.open()) {
        connect(selector);
        long begin = System.nanoTime();
        for (NioClient client : clients) {
          client.send(System.nanoTime());
        }
        while (isToGoOn(System.nanoTime() - begin, time) && !Thread.interrupted()) {
          selector.select(this::onReady, SELECT_MILLIS);
        }
        double seconds = (double) (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
        if (batches == 0) {
          throw new IOException("the server has answered nothing", failure);
        }
        return new LoadResult(
            batches * workload.depth(), seconds, errors + unanswered(), latencies.latencies());
      } finally {
        for (NioClient client : clients) {
          client.close();
        }
      }
    }

    /**
     * Returns true if the run must continue. On an overloaded machine even the first response can
     * take long.
     */
    private boolean isToGoOn(long nanos, Duration time) {
      boolean enough = nanos >= time.toNanos() && (batches > 0 || nanos >= patience.toNanos());
      return !enough && errors < clients.size();
    }

    private void connect(Selector selector) throws IOException {
      ExpectedResponse response = new ExpectedResponse(ServerCheck.response(workload, port));
      Batch batch = Batch.of(workload, port, response);
      for (int i = 0; i < workload.connections(); i++) {
        clients.add(new NioClient(selector, port, batch));
      }
    }

    private void onReady(SelectionKey key) {
      NioClient client = (NioClient) key.attachment();
      try {
        if (client.onReady(scratch)) {
          long now = System.nanoTime();
          latencies.record(now - client.beginNanos());
          batches++;
          client.send(now);
        }
      } catch (IOException broken) {
        errors++;
        failure = broken;
        client.abandon();
      }
    }

    /** Returns the number of connections without any response; broken ones are counted already. */
    private long unanswered() {
      return clients.stream().filter(NioClient::isUnanswered).count();
    }
  }
}
