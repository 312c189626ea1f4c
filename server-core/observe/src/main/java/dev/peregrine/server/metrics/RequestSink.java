package dev.peregrine.server.metrics;

/** Takes the figures of requests with the same attributes; see {@link MetricsExporter}. */
@FunctionalInterface
public interface RequestSink {
  /**
   * A request has ended. Called on its event loop, by several loops at a time, so that it must not
   * block. An exception is logged and has no other effect.
   *
   * @param durationNanos its duration
   * @param requestBytes the size of its content
   * @param responseBytes the size of the content of its response
   */
  void record(long durationNanos, long requestBytes, long responseBytes);
}
