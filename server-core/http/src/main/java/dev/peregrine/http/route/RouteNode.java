package dev.peregrine.http.route;

import dev.peregrine.http.Request;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.http.path.PathTemplate;
import dev.peregrine.protocol.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node in the tree of templates: the routes of the segments so far, and the alternatives for the
 * next one. Every node is visited at most once per request, because only one way leads to it.
 */
final class RouteNode {
  private static final byte[] NO_LITERAL = {};

  private final byte[] literal;
  private final int hash;
  private final @Nullable RouteNode[] literals; // by hash, at least half empty
  private final @Nullable RouteNode slash; // the literal that is empty
  private final @Nullable RouteNode parameter;
  private final @Nullable Route tail;
  private final @Nullable Route route;

  private RouteNode(byte[] literal, Draft draft) {
    this.literal = literal;
    this.hash = DecodedPath.hash(literal);
    this.literals = table(draft);
    this.slash = slash(literals);
    this.parameter = draft.parameter == null ? null : draft.parameter.build();
    this.tail = draft.tail;
    this.route = draft.route;
  }

  private static @Nullable RouteNode[] table(Draft draft) {
    int size = Integer.highestOneBit(draft.literals.size()) * 4;
    @Nullable RouteNode[] table = new RouteNode[Math.max(size, 1)];
    for (Map.Entry<String, Draft> entry : draft.literals.entrySet()) {
      RouteNode node =
          new RouteNode(entry.getKey().getBytes(StandardCharsets.UTF_8), entry.getValue());
      int slot = node.hash & (table.length - 1);
      while (table[slot] != null) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = node;
    }
    return table;
  }

  private static @Nullable RouteNode slash(@Nullable RouteNode[] literals) {
    for (RouteNode node : literals) {
      if (node != null && node.literal.length == 0) {
        return node;
      }
    }
    return null;
  }

  /**
   * Returns the most specific route of a path with a handler for the request's method, from the
   * first segment that outer routes have left; null if no route matches.
   */
  @Nullable Route find(DecodedPath path, HttpMethod method, Request request) {
    int base = path.base();
    if (base < path.count()) {
      return find(path, base, method, request);
    }
    // A mount's bare prefix is equal to its slash.
    Route found = slash == null ? null : answering(slash.route, method, request);
    return found == null ? answering(tail, method, request) : found;
  }

  private @Nullable Route find(DecodedPath path, int index, HttpMethod method, Request request) {
    if (index == path.count()) {
      return answering(route, method, request);
    }
    RouteNode next = literal(path, index);
    Route found = next == null ? null : next.find(path, index + 1, method, request);
    if (found == null && parameter != null && path.length(index) > 0) {
      found = parameter.find(path, index + 1, method, request);
    }
    return found == null ? answering(tail, method, request) : found;
  }

  private static @Nullable Route answering(
      @Nullable Route candidate, HttpMethod method, Request request) {
    return candidate == null || candidate.methods().find(method, request) == null
        ? null
        : candidate;
  }

  /** Returns all routes of a path with any methods, the most specific first. */
  List<Route> all(DecodedPath path) {
    List<Route> matching = new ArrayList<>();
    int base = path.base();
    if (base < path.count()) {
      collect(path, base, matching);
    } else {
      addIfThere(slash == null ? null : slash.route, matching);
      addIfThere(tail, matching);
    }
    return matching;
  }

  private void collect(DecodedPath path, int index, List<Route> matching) {
    if (index == path.count()) {
      addIfThere(route, matching);
      return;
    }
    RouteNode next = literal(path, index);
    if (next != null) {
      next.collect(path, index + 1, matching);
    }
    if (parameter != null && path.length(index) > 0) {
      parameter.collect(path, index + 1, matching);
    }
    addIfThere(tail, matching);
  }

  private static void addIfThere(@Nullable Route candidate, List<Route> matching) {
    if (candidate != null) {
      matching.add(candidate);
    }
  }

  private @Nullable RouteNode literal(DecodedPath path, int index) {
    int wanted = path.hash(index);
    int mask = literals.length - 1;
    for (int slot = wanted & mask; ; slot = (slot + 1) & mask) {
      RouteNode node = literals[slot];
      if (node == null || (node.hash == wanted && path.is(index, node.literal))) {
        return node;
      }
    }
  }

  /** A tree under construction. */
  static final class Draft {
    private final Map<String, Draft> literals = new TreeMap<>();
    private @Nullable Draft parameter;
    private @Nullable Route tail;
    private @Nullable Route route;

    /** Adds a route, the first one at its place. */
    void add(PathTemplate place, int index, Route added) {
      if (index == place.length()) {
        route = added;
      } else if (place.isTail(index)) {
        tail = added;
      } else {
        next(place.literal(index)).add(place, index + 1, added);
      }
    }

    private Draft next(byte @Nullable [] segment) {
      if (segment != null) {
        return literals.computeIfAbsent(
            new String(segment, StandardCharsets.UTF_8), text -> new Draft());
      }
      Draft next = parameter == null ? new Draft() : parameter;
      parameter = next;
      return next;
    }

    RouteNode build() {
      return new RouteNode(NO_LITERAL, this);
    }
  }
}
