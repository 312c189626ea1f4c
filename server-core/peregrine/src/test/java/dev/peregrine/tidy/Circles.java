package dev.peregrine.tidy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The circles of a graph: sets of nodes that reach each other (Tarjan's algorithm). */
final class Circles {
  private final Map<String, Set<String>> edges;
  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Circles(Map<String, Set<String>> edges) {
    this.edges = edges;
  }

  /** Returns the circles of at least two nodes, the largest first. */
  static List<Set<String>> of(Map<String, Set<String>> edges) {
    Circles circles = new Circles(edges);
    edges.keySet().stream().sorted().forEach(circles::visit);
    circles.found.sort((one, other) -> other.size() - one.size());
    return circles.found;
  }

  private void visit(String node) {
    if (index.containsKey(node)) {
      return;
    }
    int number = index.size();
    index.put(node, number);
    low.put(node, number);
    path.push(node);
    for (String next : edges.getOrDefault(node, Set.of())) {
      if (!index.containsKey(next)) {
        visit(next);
        low.merge(node, low.getOrDefault(next, number), Math::min);
      } else if (path.contains(next)) {
        low.merge(node, index.getOrDefault(next, number), Math::min);
      }
    }
    if (low.getOrDefault(node, number) == number) {
      close(node);
    }
  }

  private void close(String first) {
    Set<String> circle = new TreeSet<>();
    String node;
    do {
      node = path.pop();
      circle.add(node);
    } while (!node.equals(first));
    if (circle.size() > 1) {
      found.add(circle);
    }
  }
}
