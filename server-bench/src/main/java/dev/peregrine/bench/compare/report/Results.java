package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.server.ServerKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** All measurements, by workload and server. */
public final class Results {
  private final Map<Workload, Map<ServerKind, List<Measurement>>> measurements =
      new EnumMap<>(Workload.class);

  /** Adds a measurement. */
  public void add(ServerKind server, Workload workload, Measurement measurement) {
    measurements
        .computeIfAbsent(workload, none -> new EnumMap<>(ServerKind.class))
        .computeIfAbsent(server, none -> new ArrayList<>())
        .add(measurement);
  }

  /** Returns true if nothing was measured. */
  public boolean isEmpty() {
    return measurements.isEmpty();
  }

  boolean has(ServerKind server, Workload workload) {
    return measurements.getOrDefault(workload, Map.of()).containsKey(server);
  }

  Set<Workload> workloads() {
    return measurements.keySet();
  }

  /** Returns a figure of every server that has it, the lowest median first. */
  List<Row> rows(Workload workload, ToDoubleFunction<Measurement> figure) {
    return measurements.getOrDefault(workload, Map.of()).entrySet().stream()
        .map(entry -> new Row(entry.getKey(), Summary.of(entry.getValue(), figure)))
        .sorted(Comparator.comparingDouble(row -> row.summary().median()))
        .toList();
  }

  /** Returns a figure of one server. */
  Summary summary(Workload workload, ServerKind server, ToDoubleFunction<Measurement> figure) {
    return Summary.of(
        measurements.getOrDefault(workload, Map.of()).getOrDefault(server, List.of()), figure);
  }

  /** A figure of one server, of all rounds. */
  record Row(ServerKind server, Summary summary) {}
}
