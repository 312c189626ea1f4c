package dev.peregrine.http.route;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.host.HostMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler of a request by the host that it names; built by {@link Routes#host}.
 *
 * <pre>{@code
 * Handler all =
 *     Routes.host("api.example.org", api)
 *         .host("*.example.org", tenants)
 *         .otherwise(site)
 *         .build();
 * }</pre>
 *
 * <p>{@link HostMap} defines how hosts are compared. The host is that of {@link Request#host()}: a
 * trusted proxy's, or else that of the target or {@code :authority}, or else that of Host. A
 * request for another host, or for none, gets the handler of {@link Builder#otherwise}. Without one
 * it fails with 421 (RFC 9110 section 15.5.20), at which a client of HTTP/2 that has reused a
 * connection for the host opens a new one.
 *
 * <p>The name that a TLS client has connected to (SNI) doesn't matter: one connection serves each
 * host of the map, as clients expect whose certificate covers several (RFC 9113 section 9.1.1).
 * Only {@code Tls.Builder.requireClientCertificates} keeps hosts with different rules apart.
 *
 * <p>Immutable and safe for use by all event loops. Finding a handler allocates nothing.
 */
public final class HostRoutes implements Handler {
  private final HostMap<Handler> hosts;
  private final @Nullable Handler otherwise;

  private HostRoutes(Builder options) {
    hosts = HostMap.of(options.hosts);
    otherwise = options.otherwise;
  }

  /** Returns a builder without hosts; {@link Routes#host} returns one with the first. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    Handler found = request.host(hosts);
    Handler handler = found == null ? otherwise : found;
    if (handler == null) {
      response.fail(
          new HttpException(
              HttpStatus.MISDIRECTED_REQUEST.code(), "this server doesn't serve the host"));
    } else {
      handler.handle(request, response);
    }
  }

  /** Collects hosts. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Handler> hosts = new LinkedHashMap<>();
    private @Nullable Handler otherwise;

    private Builder() {}

    /**
     * Adds a host.
     *
     * @param host a key as {@link HostMap} takes it; one that can't be is found by {@link #build}
     * @throws IllegalArgumentException if it was added before
     */
    public Builder host(String host, Handler handler) {
      if (hosts.putIfAbsent(host, Objects.requireNonNull(handler)) != null) {
        throw new IllegalArgumentException("two handlers for the host " + host);
      }
      return this;
    }

    /** Sets the handler for all other hosts, and for requests without one; by default 421. */
    public Builder otherwise(Handler handler) {
      otherwise = Objects.requireNonNull(handler);
      return this;
    }

    /**
     * Builds the handler.
     *
     * @throws IllegalArgumentException if a host has a wrong form, or two are the same
     */
    public HostRoutes build() {
      return new HostRoutes(this);
    }
  }
}
