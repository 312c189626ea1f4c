package dev.peregrine.bench.compare.load;

import java.io.IOException;

/** The script by which wrk sends requests and reports. */
final class WrkScript {
  private static final String RESULT = "result:";
  private static final int VALUES = 8;

  /** The report, with times in microseconds. */
  private static final String DONE =
      """
      function done(summary, latency, requests)
        local e = summary.errors
        io.write(string.format("\\n%s %%d %%d %%d %%d %%d %%d %%d %%d\\n",
          summary.requests, summary.duration,
          e.connect + e.read + e.write + e.status + e.timeout,
          latency:percentile(50), latency:percentile(90), latency:percentile(99),
          latency:percentile(99.9), latency.max))
      end
      """
          .formatted(RESULT);

  private WrkScript() {}

  static String of(Workload workload) {
    return content(workload.contentBytes()) + batches(workload.depth()) + DONE;
  }

  private static String content(int bytes) {
    return bytes == 0
        ? ""
        : """
        wrk.method = "POST"
        wrk.body = string.rep("x", %d)
        """
            .formatted(bytes);
  }

  private static String batches(int depth) {
    return depth == 1
        ? ""
        : """
        local batch
        function init(args)
          batch = string.rep(wrk.format(), %d)
        end
        function request()
          return batch
        end
        """
            .formatted(depth);
  }

  /**
   * Reads the line that the script has written.
   *
   * @throws IOException if the line is missing, or if no request was answered
   */
  static LoadResult result(String output) throws IOException {
    for (String line : output.lines().toList()) {
      String[] values = line.split(" ", -1);
      if (values[0].equals(RESULT) && values.length == VALUES + 1 && !values[1].equals("0")) {
        return new LoadResult(
            Long.parseLong(values[1]),
            Double.parseDouble(values[2]) / 1e6,
            Long.parseLong(values[3]),
            new Latencies(
                Double.parseDouble(values[4]),
                Double.parseDouble(values[5]),
                Double.parseDouble(values[6]),
                Double.parseDouble(values[7]),
                Double.parseDouble(values[8])));
      }
    }
    throw new IOException("wrk has measured nothing: " + output.strip());
  }
}
