package dev.peregrine.server.metrics;

import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.observe.LoopInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The instruments of a server, in the order of {@link Metric}. */
@SuppressWarnings("EnumOrdinal") // indices of counters and bits, never kept
final class Instruments {
  private static final String LOOP = "peregrine.loop";
  private static final String DIRECTION = "network.io.direction";

  private final List<LoopMetrics> loops;
  private final List<Instrument> all = new ArrayList<>();

  private Instruments(List<LoopMetrics> loops) {
    this.loops = loops;
  }

  /** Returns the instruments for the given loops. */
  static List<Instrument> of(List<LoopMetrics> loops) {
    Instruments created = new Instruments(loops);
    created.addSums();
    created.addLoops();
    return List.copyOf(created.all);
  }

  private void addSums() {
    for (int i = 0; i < RequestAttributes.METHODS_AND_SCHEMES; i++) {
      if (RequestAttributes.isMethodAndScheme(i)) {
        addSum(
            Metric.HTTP_SERVER_ACTIVE_REQUESTS,
            RequestAttributes.unpackMethodAndScheme(i),
            LoopMetrics.ACTIVE + i);
      }
    }
    for (Rejection rule : Rejection.values()) {
      addRejected(RequestAttributes.text(rule), LoopMetrics.REJECTED + rule.ordinal());
    }
    addRejected("request_head_late", LoopMetrics.REJECTED_LATE);
    addRejected("request_head_incomplete", LoopMetrics.REJECTED_INCOMPLETE);
    addRejected(RequestAttributes.text(HandshakeFailure.PLAIN_HTTP), LoopMetrics.REJECTED_PLAIN);
    addRejected("too_many_connections", LoopMetrics.REJECTED_OVERLOADED);
    for (LoopMetrics one : loops) {
      add(Metric.OPENED_CONNECTIONS, loop(one), () -> one.get(LoopMetrics.OPENED));
    }
    for (CloseReason reason : CloseReason.values()) {
      addSum(
          Metric.CLOSED_CONNECTIONS,
          RequestAttributes.close(reason),
          LoopMetrics.CLOSED + reason.ordinal());
    }
    for (HandshakeFailure failure : HandshakeFailure.values()) {
      addSum(
          Metric.FAILED_HANDSHAKES,
          RequestAttributes.error(RequestAttributes.text(failure)),
          LoopMetrics.HANDSHAKES + failure.ordinal());
    }
  }

  private void addRejected(String type, int counter) {
    addSum(Metric.REJECTED_REQUESTS, RequestAttributes.error(type), counter);
  }

  private void addSum(Metric metric, Map<String, String> attributes, int counter) {
    all.add(
        new Instrument(
            metric, attributes, () -> loops.stream().mapToLong(loop -> loop.get(counter)).sum()));
  }

  private void addLoops() {
    addPerLoop(Metric.OPEN_CONNECTIONS, LoopInfo::connections);
    for (LoopMetrics one : loops) {
      LoopInfo loop = one.loop;
      add(Metric.NETWORK_IO, directed(loop, "receive"), loop::bytesReceived);
      add(Metric.NETWORK_IO, directed(loop, "transmit"), loop::bytesSent);
    }
    addPerLoop(Metric.BUFFER_USED, LoopInfo::bufferBytesInUse);
    addPerLoop(Metric.BUFFER_RESERVED, LoopInfo::bufferBytesReserved);
    addPerLoop(Metric.BUFFER_RETURNED, LoopInfo::bufferBytesReturned);
    for (LoopMetrics one : loops) {
      add(Metric.BLOCKED_TURNS, loop(one), one::blocked);
    }
  }

  private void addPerLoop(Metric metric, ToLongFunction<LoopInfo> read) {
    for (LoopMetrics one : loops) {
      add(metric, loop(one), () -> read.applyAsLong(one.loop));
    }
  }

  private static Map<String, String> loop(LoopMetrics one) {
    return Map.of(LOOP, one.loop.name());
  }

  private static Map<String, String> directed(LoopInfo loop, String direction) {
    Map<String, String> both = new LinkedHashMap<>();
    both.put(LOOP, loop.name());
    both.put(DIRECTION, direction);
    return Collections.unmodifiableMap(both);
  }

  private void add(Metric metric, Map<String, String> attributes, LongSupplier current) {
    all.add(new Instrument(metric, attributes, current));
  }
}
