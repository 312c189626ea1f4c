package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The histograms of one series. */
final class SeriesTest {
  private final Series series = new Series(new SeriesKey("/", 0), null);

  private MetricHistogram histogram(Metric metric) {
    long[] sums = new long[Series.CELLS];
    series.addTo(sums);
    return Series.histogram(metric, Map.of(), sums);
  }

  /** Returns the bucket of the only value that isn't zero. */
  private int bucketOf(Metric metric) {
    List<Long> counts = histogram(metric).counts();
    assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
    return counts.indexOf(1L);
  }

  @Test
  void putsADurationIntoTheBucketWhoseBoundItDoesNotExceed() {
    List<Double> bounds = Metric.HTTP_SERVER_REQUEST_DURATION.bounds();
    for (int i = 0; i < bounds.size(); i++) {
      long nanos = Math.round(bounds.get(i) * TimeUnit.SECONDS.toNanos(1));

      assertThat(durationBucket(nanos - 1)).isEqualTo(i);
      assertThat(durationBucket(nanos)).isEqualTo(i);
      assertThat(durationBucket(nanos + 1)).isEqualTo(i + 1);
    }
    assertThat(durationBucket(Long.MAX_VALUE)).isEqualTo(bounds.size());
  }

  private static int durationBucket(long nanos) {
    SeriesTest one = new SeriesTest();
    one.series.record(nanos, 0, 0);
    return one.bucketOf(Metric.HTTP_SERVER_REQUEST_DURATION);
  }

  @Test
  void putsASizeIntoTheBucketWhoseBoundItDoesNotExceed() {
    List<Double> bounds = Metric.HTTP_SERVER_REQUEST_BODY_SIZE.bounds();
    for (int i = 0; i < bounds.size(); i++) {
      long bytes = bounds.get(i).longValue();

      assertThat(sizeBucket(bytes)).isEqualTo(i);
      assertThat(sizeBucket(bytes + 1)).isEqualTo(i + 1);
    }
  }

  private static int sizeBucket(long bytes) {
    SeriesTest one = new SeriesTest();
    one.series.record(0, bytes, bytes);
    int request = one.bucketOf(Metric.HTTP_SERVER_REQUEST_BODY_SIZE);
    assertThat(one.bucketOf(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE)).isEqualTo(request);
    return request;
  }

  @Test
  void addsUpInTheUnitOfTheMetric() {
    series.record(TimeUnit.MILLISECONDS.toNanos(250), 10, 1000);
    series.record(TimeUnit.MILLISECONDS.toNanos(500), 20, 2000);

    assertThat(histogram(Metric.HTTP_SERVER_REQUEST_DURATION).sum()).isEqualTo(0.75);
    assertThat(histogram(Metric.HTTP_SERVER_REQUEST_DURATION).count()).isEqualTo(2);
    assertThat(histogram(Metric.HTTP_SERVER_REQUEST_BODY_SIZE).sum()).isEqualTo(30);
    assertThat(histogram(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE).sum()).isEqualTo(3000);
  }

  @Test
  void neverCountsBackwardsForAReader() throws Exception {
    int requests = 300_000;
    CountDownLatch reading = new CountDownLatch(1);
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitUninterruptibly(reading);
                  for (int i = 0; i < requests; i++) {
                    series.record(TimeUnit.SECONDS.toNanos(1), 7, i);
                  }
                });
    long count = 0;
    double sum = 0;
    while (count < requests) {
      MetricHistogram duration = histogram(Metric.HTTP_SERVER_REQUEST_DURATION);
      assertThat(duration.count()).isGreaterThanOrEqualTo(count);
      assertThat(duration.sum()).isGreaterThanOrEqualTo(sum);
      assertThat(duration.sum())
          .as("each value is added before it is counted")
          .isGreaterThanOrEqualTo((double) duration.count());
      count = duration.count();
      sum = duration.sum();
      reading.countDown();
    }
    writer.join();

    assertThat(histogram(Metric.HTTP_SERVER_REQUEST_DURATION).sum()).isEqualTo(requests);
    assertThat(histogram(Metric.HTTP_SERVER_REQUEST_BODY_SIZE).sum()).isEqualTo(7.0 * requests);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
