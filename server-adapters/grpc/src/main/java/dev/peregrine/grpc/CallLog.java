package dev.peregrine.grpc;

import io.grpc.MethodDescriptor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The log of this package: one line for each call that has failed. */
final class CallLog {
  private static final Logger LOG = System.getLogger("dev.peregrine.grpc");

  private CallLog() {}

  static void failed(MethodDescriptor<?, ?> method, Throwable thrown) {
    try {
      log("call failed: " + method.getFullMethodName(), thrown);
    } catch (Throwable noMemory) {
      log("call failed", thrown);
    }
  }

  /** The messages of a call take too much memory, because its client doesn't take them. */
  static void exhausted(MethodDescriptor<?, ?> method) {
    try {
      LOG.log(
          Level.WARNING,
          "call ended with RESOURCE_EXHAUSTED, because it sends more than its client takes"
              + " and maxUnsentBytes permits: "
              + method.getFullMethodName());
    } catch (Throwable unloggable) {
      // A logger that fails doesn't affect the call.
    }
  }

  /** The failure of a call couldn't be handled. */
  static void lost(Throwable thrown) {
    log("call lost", thrown);
  }

  /** The application has added a sink for metrics that this server doesn't have. */
  static void sinkIgnored() {
    LOG.log(
        Level.WARNING,
        "addMetricSink has no effect: the grpc.tcp metrics of grpc-java's transport aren't"
            + " recorded; ServerMetrics has those of this server");
  }

  private static void log(String text, Throwable thrown) {
    try {
      LOG.log(Level.WARNING, text, thrown);
    } catch (Throwable unloggable) {
      // A logger that fails doesn't affect the call.
    }
  }
}
