package dev.peregrine.http.route;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HttpMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handlers of one template by method. */
final class MethodTable {
  /** The key of the handler for any method; not a token, so it can't be a method's name. */
  static final String ANY = "";

  private static final HttpMethod[] KNOWN = HttpMethod.values();

  private final EnumMap<HttpMethod, Handler> byMethod = new EnumMap<>(HttpMethod.class);
  private final Map<String, Handler> handlers;
  private final @Nullable Handler any;
  private final Set<String> methods;

  MethodTable(Map<String, Handler> handlers) {
    this.handlers = Map.copyOf(handlers);
    this.any = handlers.get(ANY);
    this.methods = new LinkedHashSet<>(handlers.keySet());
    methods.remove(ANY);
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    for (HttpMethod method : KNOWN) {
      Handler handler = handlers.getOrDefault(method.name(), any);
      if (handler != null) {
        byMethod.put(method, handler);
      }
    }
    Handler get = handlers.get("GET");
    if (get != null) {
      byMethod.put(HttpMethod.HEAD, handlers.getOrDefault("HEAD", get));
    }
  }

  /** Returns the handler of the request's method; null if it has none. */
  @Nullable Handler find(HttpMethod method, Request request) {
    if (method != HttpMethod.OTHER) {
      return byMethod.get(method);
    }
    Handler named = handlers.get(request.methodName()); // a request may have a method named OTHER
    return named == null ? any : named;
  }

  /** Returns true if the method has its own handler. */
  boolean names(HttpMethod method) {
    return handlers.containsKey(method.name());
  }

  /** Returns true if there is a handler for every method. */
  boolean hasAny() {
    return any != null;
  }

  /** Returns the methods that have their own handlers. */
  Set<String> methods() {
    return methods;
  }

  /** Returns the value of an Allow field (RFC 9110 section 10.2.1). */
  static String allow(Collection<String> methods) {
    List<String> sorted = new ArrayList<>();
    for (HttpMethod method : KNOWN) {
      if (methods.contains(method.name())) {
        sorted.add(method.name());
      }
    }
    methods.stream().filter(method -> !sorted.contains(method)).sorted().forEach(sorted::add);
    return String.join(", ", sorted);
  }
}
