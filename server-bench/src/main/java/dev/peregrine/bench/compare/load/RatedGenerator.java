package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends the requests of {@link Workload#MANY} at a constant rate, whether or not the server keeps
 * up with it. Each request is sent on the connection that has been free for longest, and waits if
 * none is free. Times count from when a request was due, so that a pause delays every request that
 * falls into it. Used by one thread, which polls, so that servers don't spend time on waking it.
 */
final class RatedGenerator implements AutoCloseable {
  private static final int SCRATCH_BYTES = 64 * 1024;
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long HICCUP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Selector selector = Selector.open();
  private final List<NioClient> clients = new ArrayList<>();
  private final Queue<NioClient> free = new ArrayDeque<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
  private final long napNanos;
  private final Duration patience;

  /**
   * Connects, and checks one response.
   *
   * @param nap how long it sleeps if no request is due and no response has arrived; zero for never
   * @param patience for the answers to the last requests of a run
   * @throws IOException if the response is wrong
   */
  RatedGenerator(int port, int connections, Duration nap, Duration patience) throws IOException {
    napNanos = nap.toNanos();
    this.patience = patience;
    Workload workload = Workload.MANY;
    ExpectedResponse response = new ExpectedResponse(ServerCheck.response(workload, port));
    Batch batch = Batch.of(workload, port, response);
    for (int i = 0; i < connections; i++) {
      clients.add(new NioClient(selector, port, batch));
    }
    free.addAll(clients);
  }

  /**
   * Sends for that time, and returns when all requests are answered.
   *
   * @param perSecond the rate of requests
   * @throws IOException if a connection breaks, if a response differs from the first one, or if not
   *     all requests are answered
   */
  RatedResult run(int perSecond, Duration time) throws IOException {
    try {
      return new Run(perSecond, time).go();
    } catch (UncheckedIOException broken) {
      throw broken.getCause();
    }
  }

  @Override
  public void close() throws IOException {
    for (NioClient client : clients) {
      client.close();
    }
    selector.close();
  }

  private final class Run {
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final Spans slow = new Spans();
    private final Spans hiccups = new Spans();
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final double nanosEach;
    private final long requests;
    private final long begin = System.nanoTime();
    private final long end;
    private long slowRequests;
    private long longestGap;
    private long sent;
    private long answered;

    Run(int perSecond, Duration time) {
      nanosEach = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
      requests = (long) (time.toNanos() / nanosEach);
      end = begin + time.plus(patience).toNanos();
    }

    RatedResult go() throws IOException {
      long last = System.nanoTime();
      while (answered < requests) {
        long now = System.nanoTime();
        noteGap(last, now);
        last = now;
        if (now > end) {
          throw new IOException(
              "only %d of %d requests were answered in time".formatted(answered, requests));
        }
        sendDue(now);
        if (selector.selectNow(onReady) == 0 && napNanos > 0) {
          LockSupport.parkNanos(napNanos);
        }
      }
      return new RatedResult(requests, begin, latencies, slowRequests, slow, longestGap, hiccups);
    }

    private void onReady(SelectionKey key) {
      NioClient client = (NioClient) key.attachment();
      try {
        if (client.onReady(scratch)) {
          long now = System.nanoTime();
          noteAnswer(client.beginNanos(), now);
          free.add(client);
          sendDue(now);
        }
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    private void sendDue(long now) throws IOException {
      while (sent < requests && !free.isEmpty()) {
        long due = begin + (long) (sent * nanosEach);
        if (due > now) {
          return;
        }
        sent++;
        free.remove().send(due);
      }
    }

    private void noteAnswer(long due, long now) {
      answered++;
      latencies.record(now - due);
      if (now - due > SLOW_NANOS) {
        slowRequests++;
        slow.add(due, now);
      }
    }

    private void noteGap(long last, long now) {
      longestGap = Math.max(longestGap, now - last);
      if (now - last > HICCUP_NANOS) {
        hiccups.add(last, now);
      }
    }
  }
}
