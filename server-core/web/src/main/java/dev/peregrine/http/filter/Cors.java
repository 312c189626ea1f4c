package dev.peregrine.http.filter;

import dev.peregrine.base.Origin;
import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of other origins read responses (CORS, Fetch standard section 3.3), and answers their
 * preflight requests.
 *
 * <pre>{@code
 * Handler api =
 *     Cors.builder(routes)
 *         .origins("https://app.example.com", "http://localhost:5173")
 *         .methods("PUT", "DELETE")
 *         .headers("Content-Type", "Authorization")
 *         .credentials()
 *         .build();
 * }</pre>
 *
 * <p>An origin is allowed if it equals a configured one: no patterns, no subdomains. The filter
 * sends only values that were configured, and {@code Vary: Origin} with every response whose fields
 * depend on the origin, also with errors. A preflight request never reaches the handler: it gets
 * 204, or 403 from an origin that is not allowed.
 *
 * <p>CORS doesn't protect a handler from requests: a page of any origin can send simple ones, and
 * just can't read the responses. Put this filter outside of authentication, because preflight
 * requests have no credentials. Immutable and thread-safe.
 */
public final class Cors implements Handler {
  private static final String ANY = "*";
  private static final String TRUE = "true";
  private static final String ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
  private static final String EXPOSE_HEADERS = "Access-Control-Expose-Headers";
  private static final String MAX_AGE = "Access-Control-Max-Age";

  private final Handler handler;
  private final Set<String> origins; // as browsers write them
  private final boolean anyOrigin;
  private final boolean credentials;
  private final @Nullable String exposedHeaders;
  private final PreparedFields preflight;

  private Cors(Builder options) {
    handler = options.handler;
    origins = Set.copyOf(options.origins);
    anyOrigin = options.anyOrigin;
    credentials = options.credentials;
    exposedHeaders = options.exposed.isEmpty() ? null : String.join(", ", options.exposed);
    PreparedFields fields =
        PreparedFields.of(
            HeaderName.ACCESS_CONTROL_ALLOW_METHODS,
            String.join(", ", options.methods),
            MAX_AGE,
            Long.toString(options.maxAge.toSeconds()));
    preflight =
        options.headers.isEmpty()
            ? fields
            : fields.and(
                HeaderName.ACCESS_CONTROL_ALLOW_HEADERS, String.join(", ", options.headers));
  }

  /** Creates a builder that allows no origin yet. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  @Override
  public Set<String> methods() {
    Set<String> inside = handler.methods();
    if (inside.isEmpty()) {
      return inside;
    }
    Set<String> withPreflight = new HashSet<>(inside);
    withPreflight.add("OPTIONS");
    return Set.copyOf(withPreflight);
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String allowed = allowedOrigin(request);
    // before the commit, so that the handler's own Vary doesn't replace the filter's
    response.beforeCommit(() -> addFields(response, allowed));
    if (!isPreflight(request)) {
      handler.handle(request, response);
    } else if (allowed != null) {
      response.status(HttpStatus.NO_CONTENT).addHeaders(preflight).send();
    } else {
      throw new HttpException(HttpStatus.FORBIDDEN.code(), "the origin is not allowed");
    }
  }

  private static boolean isPreflight(Request request) {
    return request.method() == HttpMethod.OPTIONS
        && request.hasHeader(KnownHeader.ACCESS_CONTROL_REQUEST_METHOD)
        && request.hasHeader(KnownHeader.ORIGIN);
  }

  /** Returns the origin to name in the response; null for none. */
  private @Nullable String allowedOrigin(Request request) {
    if (anyOrigin) {
      return ANY;
    }
    if (!request.hasHeader(KnownHeader.ORIGIN)) {
      return null;
    }
    List<String> sent = request.headers(HeaderName.ORIGIN);
    return sent.size() == 1 && origins.contains(sent.getFirst()) ? sent.getFirst() : null;
  }

  private void addFields(Response response, @Nullable String allowed) {
    if (!anyOrigin) {
      response.addHeader(HeaderName.VARY, HeaderName.ORIGIN);
    }
    if (allowed == null) {
      return;
    }
    response.header(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    if (credentials) {
      response.header(ALLOW_CREDENTIALS, TRUE);
    }
    if (exposedHeaders != null) {
      response.header(EXPOSE_HEADERS, exposedHeaders);
    }
  }

  /** Options for CORS. Not thread-safe. */
  public static final class Builder {
    private final Handler handler;
    private final Set<String> origins = new LinkedHashSet<>();
    private final Set<String> methods = new LinkedHashSet<>(List.of("GET", "HEAD", "POST"));
    private final Set<String> headers = new LinkedHashSet<>();
    private final Set<String> exposed = new LinkedHashSet<>();
    private boolean anyOrigin;
    private boolean credentials;
    private Duration maxAge = Duration.ofMinutes(10);

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Allows pages of those origins.
     *
     * @param allowed scheme, host and port, such as {@code https://app.example.com}; the default
     *     port may be left out
     * @throws IllegalArgumentException if one isn't an origin; {@code null}, which sandboxed pages
     *     of anyone send, isn't, and neither is a pattern with {@code *}
     */
    public Builder origins(String... allowed) {
      for (String text : allowed) {
        Origin origin = Origin.parse(text);
        if (origin == null || text.contains(ANY)) {
          throw new IllegalArgumentException(
              "not an origin, such as https://example.com or http://localhost:8080: " + text);
        }
        origins.add(origin.toString());
      }
      return this;
    }

    /** Allows pages of every origin, by {@code *}. For public data, without credentials. */
    public Builder anyOrigin() {
      anyOrigin = true;
      return this;
    }

    /**
     * Allows methods beside GET, HEAD and POST.
     *
     * @throws IllegalArgumentException if one isn't a token, or is {@code *}
     */
    public Builder methods(String... allowed) {
      addNames(methods, allowed);
      return this;
    }

    /**
     * Allows fields of requests beside those that any page can set.
     *
     * @throws IllegalArgumentException if one isn't a token, or is {@code *}
     */
    public Builder headers(String... allowed) {
      addNames(headers, allowed);
      return this;
    }

    /**
     * Lets pages read those fields of responses, beside those that every page can read.
     *
     * @throws IllegalArgumentException if one isn't a token, or is {@code *}
     */
    public Builder exposedHeaders(String... readable) {
      addNames(exposed, readable);
      return this;
    }

    /** Lets pages send cookies and other credentials, and read the responses to such requests. */
    public Builder credentials() {
      credentials = true;
      return this;
    }

    /**
     * Sets how long a browser may keep the answer to a preflight request; 10 minutes by default.
     * Browsers have maxima of their own.
     *
     * @throws IllegalArgumentException if it is negative, or above 36,500 days
     */
    public Builder maxAge(Duration time) {
      Range.checkNotNegative("maxAge", time);
      maxAge = time;
      return this;
    }

    /**
     * Returns the handler.
     *
     * @throws IllegalStateException if no origin is allowed, or if credentials or single origins
     *     are allowed together with every origin
     */
    public Cors build() {
      if (anyOrigin && (credentials || !origins.isEmpty())) {
        throw new IllegalStateException(
            "anyOrigin can't be combined with credentials or origins: list the origins instead");
      }
      if (!anyOrigin && origins.isEmpty()) {
        throw new IllegalStateException("no origin is allowed: call origins or anyOrigin");
      }
      return new Cors(this);
    }

    private static void addNames(Set<String> names, String... added) {
      for (String name : added) {
        if (!FieldSyntax.isToken(name) || name.equals(ANY)) {
          throw new IllegalArgumentException("not the name of a method or field: " + name);
        }
        names.add(name);
      }
    }
  }
}
