package dev.peregrine.http.route;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.http.path.PathTemplate;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler of a request by its path and method.
 *
 * <pre>{@code
 * Routes routes =
 *     Routes.builder()
 *         .get("/users/{id}", (request, response) -> response.text(request.pathParameter("id")))
 *         .post("/users", Handlers.blocking(users::add))
 *         .mount("/admin", admin)
 *         .build();
 * }</pre>
 *
 * <p>A request goes to the most specific template that matches its path and has a handler for its
 * method. Segment by segment from the left, text is more specific than a parameter and a parameter
 * more than {@code *}. The order of the routes doesn't matter. {@link PathSegments} defines how
 * paths are read, and which are rejected with 400.
 *
 * <p>A template has a slash before each segment. {@code {name}} matches one non-empty segment, and
 * a final {@code *} matches the rest, possibly empty. Names are unique and consist of letters,
 * digits, {@code _} and {@code -}. Other segments match the same text, and are written decoded:
 * {@code /über uns}, not {@code /%C3%BCber%20uns}.
 *
 * <ul>
 *   <li>The handler for GET also handles HEAD, unless the template has one for HEAD.
 *   <li>A handler for {@link Builder#any any} method gets every method. A handler that names its
 *       {@linkplain Handler#methods methods}, such as {@code StaticFiles}, gets only those.
 *   <li>An extended CONNECT of HTTP/2 (RFC 8441) finds its handler as GET does, so that the same
 *       route serves {@linkplain Response#upgrade upgrades} in both versions. Any other CONNECT
 *       gets 501.
 *   <li>OPTIONS gets a response with {@code Allow}, unless the most specific template has a handler
 *       for any method, or any of the templates has one for OPTIONS; {@code OPTIONS *} does too.
 *   <li>Any other method without a handler fails with 405 and {@code Allow}, and a path without a
 *       template with 404.
 * </ul>
 *
 * <p>{@code Allow} lists the methods of all templates that match.
 *
 * <p>Immutable and safe for use by all event loops. Finding a handler allocates nothing for methods
 * that have a constant in {@link HttpMethod}.
 */
public final class Routes implements Handler {
  private static final Pattern PARAMETER = Pattern.compile("\\{[^/}]*}");

  private final RouteNode root;
  private final String allMethods;

  private Routes(RouteNode root, String allMethods) {
    this.root = root;
    this.allMethods = allMethods;
  }

  /**
   * Begins a choice by host, which usually leads to routes.
   *
   * @param host a name, an address, or a pattern such as {@code *.example.org}
   */
  public static HostRoutes.Builder host(String host, Handler handler) {
    return HostRoutes.builder().host(host, handler);
  }

  /** Returns a builder without routes. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    HttpMethod method = routedMethod(request);
    if (method == HttpMethod.OPTIONS && request.pathIs("*")) {
      answerOptions(allMethods, response);
      return;
    }
    if (method == HttpMethod.CONNECT) {
      throw new HttpException(HttpStatus.NOT_IMPLEMENTED.code(), "CONNECT is not implemented");
    }
    DecodedPath path = DecodedPath.of(request.pathSegments());
    Route route = root.find(path, method, request);
    if (method == HttpMethod.OPTIONS && (route == null || !route.methods().names(method))) {
      route = routeOfOptions(path);
    }
    Handler handler = route == null ? null : route.methods().find(method, request);
    if (handler == null) {
      answerUnrouted(path, method, response);
      return;
    }
    path.bind(Objects.requireNonNull(route).template());
    handler.handle(request, response);
  }

  /**
   * Returns the method that decides on the route. An extended CONNECT is the form of an upgrade in
   * HTTP/2, whose form in HTTP/1.1 is GET (RFC 8441 section 5).
   */
  private static HttpMethod routedMethod(Request request) {
    HttpMethod method = request.method();
    return method == HttpMethod.CONNECT
            && request.version() == HttpVersion.HTTP_2
            && request.isUpgrade()
        ? HttpMethod.GET
        : method;
  }

  /**
   * Returns the route of an OPTIONS request to a path whose most specific template has no handler
   * for OPTIONS.
   */
  private @Nullable Route routeOfOptions(DecodedPath path) {
    List<Route> matching = root.all(path);
    for (Route candidate : matching) {
      boolean first = candidate.equals(matching.getFirst());
      if (candidate.methods().names(HttpMethod.OPTIONS)
          || (first && candidate.methods().hasAny())) {
        return candidate;
      }
    }
    return null;
  }

  private void answerUnrouted(DecodedPath path, HttpMethod method, Response response) {
    List<Route> matching = root.all(path);
    if (matching.isEmpty()) {
      response.fail(new HttpException(HttpStatus.NOT_FOUND.code(), null));
      return;
    }
    Set<String> methods = new LinkedHashSet<>();
    matching.forEach(route -> methods.addAll(route.methods().methods()));
    String allow = MethodTable.allow(methods);
    if (method == HttpMethod.OPTIONS) {
      answerOptions(allow, response);
    } else {
      response.fail(
          new HttpException(HttpStatus.METHOD_NOT_ALLOWED.code(), null)
              .header(HeaderName.ALLOW, allow));
    }
  }

  private static void answerOptions(String allow, Response response) {
    response.status(HttpStatus.NO_CONTENT).header(HeaderName.ALLOW, allow).send();
  }

  /** Collects routes. Not thread-safe. */
  public static final class Builder {
    private record Declared(
        PathTemplate place, PathTemplate template, Map<String, Handler> handlers) {}

    private final Map<String, Declared> templates = new LinkedHashMap<>();

    private Builder() {}

    /** Adds a route for GET, and for HEAD unless {@link #head} sets another. */
    public Builder get(String template, Handler handler) {
      return route("GET", template, handler);
    }

    /** Adds a route for HEAD, in place of the handler for GET. */
    public Builder head(String template, Handler handler) {
      return route("HEAD", template, handler);
    }

    /** Adds a route for POST. */
    public Builder post(String template, Handler handler) {
      return route("POST", template, handler);
    }

    /** Adds a route for PUT. */
    public Builder put(String template, Handler handler) {
      return route("PUT", template, handler);
    }

    /** Adds a route for PATCH. */
    public Builder patch(String template, Handler handler) {
      return route("PATCH", template, handler);
    }

    /** Adds a route for DELETE. */
    public Builder delete(String template, Handler handler) {
      return route("DELETE", template, handler);
    }

    /** Adds a route for OPTIONS, in place of the response with {@code Allow}. */
    public Builder options(String template, Handler handler) {
      return route("OPTIONS", template, handler);
    }

    /**
     * Adds a route for a method.
     *
     * @param method a token (RFC 9110 section 9.1), compared case-sensitively
     * @param template a template, see {@link Routes}
     * @throws IllegalArgumentException if one of them is malformed, for CONNECT, and if the method
     *     and the same paths have a route already
     */
    public Builder route(String method, String template, Handler handler) {
      if (!FieldSyntax.isToken(method) || method.equals("CONNECT")) {
        throw new IllegalArgumentException("not a method that has a path: \"" + method + "\"");
      }
      return add(method, template, handler);
    }

    /**
     * Adds a route for every method that has no other route at this template. For a handler that
     * names its {@linkplain Handler#methods methods}, adds it for those only.
     */
    public Builder any(String template, Handler handler) {
      PathTemplate parsed = PathTemplate.of(template);
      declareAll(parsed, parsed, handler);
      return this;
    }

    /**
     * Adds a route for every method on a path and all paths below it, like {@link #any}. If the
     * handler is, or leads to, other {@link Routes}, these match the path after the prefix, and
     * their {@code /} is the prefix itself with and without a slash. {@code StaticFiles} use the
     * path after the prefix, too. Other handlers get it as the parameter {@code *}, which is empty
     * for the prefix itself.
     *
     * @param prefix a template without {@code *} and without a slash at its end
     * @throws IllegalArgumentException if the prefix is malformed or has a route already
     */
    public Builder mount(String prefix, Handler handler) {
      if (prefix.endsWith("/") || prefix.endsWith("/" + PathTemplate.TAIL)) {
        throw new IllegalArgumentException(
            "can't be mounted on: \"" + prefix + "\": write it without slash or * at its end");
      }
      PathTemplate below = PathTemplate.of(prefix + "/" + PathTemplate.TAIL);
      declareAll(PathTemplate.of(prefix), below, handler);
      declareAll(below, below, handler);
      return this;
    }

    private Builder add(String method, String template, Handler handler) {
      PathTemplate parsed = PathTemplate.of(template);
      declare(parsed, parsed, method, handler);
      return this;
    }

    private void declareAll(PathTemplate place, PathTemplate template, Handler handler) {
      Set<String> methods = handler.methods();
      if (methods.isEmpty()) {
        declare(place, template, MethodTable.ANY, handler);
      }
      methods.forEach(method -> declare(place, template, method, handler));
    }

    private void declare(
        PathTemplate place, PathTemplate template, String method, Handler handler) {
      Objects.requireNonNull(handler);
      // The names of its parameters don't change which paths a template matches.
      String shape = PARAMETER.matcher(place.toString()).replaceAll("{}");
      Declared same =
          templates.computeIfAbsent(
              shape, absent -> new Declared(place, template, new LinkedHashMap<>()));
      if (!same.template.toString().equals(template.toString())) {
        throw new IllegalArgumentException(
            template + " and " + same.template + " match the same path: write them alike");
      }
      if (same.handlers.putIfAbsent(method, handler) != null) {
        throw new IllegalArgumentException(
            "two routes for "
                + (method.equals(MethodTable.ANY) ? "any method" : method)
                + " on "
                + place);
      }
    }

    /**
     * Builds the routes.
     *
     * @throws IllegalStateException without a route
     */
    public Routes build() {
      if (templates.isEmpty()) {
        throw new IllegalStateException("add a route before build()");
      }
      RouteNode.Draft root = new RouteNode.Draft();
      Set<String> methods = new LinkedHashSet<>();
      for (Declared declared : templates.values()) {
        MethodTable table = new MethodTable(declared.handlers);
        methods.addAll(table.methods());
        root.add(declared.place, 0, new Route(declared.template, table));
      }
      return new Routes(root.build(), MethodTable.allow(methods));
    }
  }
}
