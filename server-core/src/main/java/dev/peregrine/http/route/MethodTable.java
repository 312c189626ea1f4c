package dev.peregrine.http.route;

import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.parser.HttpMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The handlers of one template by method, complete: every method has one. */
final class MethodTable {
  /** Stands for the methods that aren't named; no token, so no method. */
  static final String ANY = "";

  private static final HttpMethod[] KNOWN = HttpMethod.values();

  private final EnumMap<HttpMethod, HttpHandler> byMethod = new EnumMap<>(HttpMethod.class);
  private final Map<String, HttpHandler> handlers;
  private final Set<String> methods;

  MethodTable(Map<String, HttpHandler> handlers) {
    this.handlers = Map.copyOf(handlers);
    this.methods = new LinkedHashSet<>(handlers.keySet());
    methods.remove(ANY);
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    String allow = allow(methods);
    HttpHandler any = handlers.get(ANY);
    HttpHandler otherwise =
        any != null ? any : (request, response) -> answerNotAllowed(allow, response);
    for (HttpMethod method : KNOWN) {
      byMethod.put(method, handlers.getOrDefault(method.name(), otherwise));
    }
    byMethod.put(HttpMethod.OTHER, otherwise); // also if a method is named so
    HttpHandler get = handlers.get("GET");
    if (get != null) {
      byMethod.put(HttpMethod.HEAD, handlers.getOrDefault("HEAD", get));
    }
    if (any == null) {
      HttpHandler allowed = (request, response) -> answerOptions(allow, response);
      byMethod.put(HttpMethod.OPTIONS, handlers.getOrDefault("OPTIONS", allowed));
    }
  }

  HttpHandler find(HttpMethod method, HttpRequest request) {
    HttpHandler known = Objects.requireNonNull(byMethod.get(method));
    if (method != HttpMethod.OTHER) {
      return known;
    }
    return handlers.getOrDefault(request.methodName(), known);
  }

  /** The methods that are answered by name. */
  Set<String> methods() {
    return methods;
  }

  /** The value of an Allow field (RFC 9110 section 10.2.1). */
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

  static void answerOptions(String allow, HttpResponse response) {
    response.status(HttpStatus.NO_CONTENT).header("Allow", allow).send();
  }

  private static void answerNotAllowed(String allow, HttpResponse response) {
    response.status(HttpStatus.METHOD_NOT_ALLOWED).header("Allow", allow);
    response.text("Method Not Allowed\n");
  }
}
