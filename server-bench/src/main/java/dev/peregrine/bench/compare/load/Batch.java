package dev.peregrine.bench.compare.load;

import java.nio.ByteBuffer;

/**
 * The requests that a connection sends at a time.
 *
 * @param requests bytes of all its requests; shared, so position and limit aren't changed
 * @param depth number of its requests
 * @param response the response to each of them
 */
record Batch(ByteBuffer requests, int depth, ExpectedResponse response) {
  static Batch of(Workload workload, int port, ExpectedResponse response) {
    byte[] request = workload.request(port);
    ByteBuffer requests = ByteBuffer.allocateDirect(request.length * workload.depth());
    while (requests.hasRemaining()) {
      requests.put(request);
    }
    return new Batch(requests.flip(), workload.depth(), response);
  }

  /** Returns the length of all its responses. */
  int responseBytes() {
    return depth * response.length();
  }
}
