package dev.peregrine.bench.codec;

/** The Flight Recorder while requests are measured. */
public enum RecordedRequests {
  /** The server doesn't know of it. */
  ABSENT,

  /** The server follows recordings, and none runs. */
  OFF,

  /** A recording runs as in production: events of requests that last 20 ms or more. */
  ON,

  /** A recording with an event for each request. */
  EACH
}
