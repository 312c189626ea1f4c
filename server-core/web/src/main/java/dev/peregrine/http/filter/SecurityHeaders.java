package dev.peregrine.http.filter;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds fields that have browsers protect the users of a site, to every response, also to errors. A
 * field that the handler has set, in whichever way, is left as it is.
 *
 * <pre>{@code
 * Handler site = SecurityHeaders.of(routes);
 * Handler strict =
 *     SecurityHeaders.builder(routes)
 *         .field("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
 *         .strictTransportSecurity(Duration.ofDays(365), true)
 *         .build();
 * }</pre>
 *
 * <p>By default these are {@code X-Content-Type-Options: nosniff}, {@code Referrer-Policy:
 * same-origin} and {@code Content-Security-Policy: frame-ancestors 'self'}. Immutable and
 * thread-safe.
 */
public final class SecurityHeaders implements Handler {
  private static final PreparedFields DEFAULTS =
      PreparedFields.of(
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "same-origin",
          HeaderName.CONTENT_SECURITY_POLICY,
          "frame-ancestors 'self'");

  private final Handler handler;
  private final PreparedFields fields;
  private final @Nullable String strictTransportSecurity;

  private SecurityHeaders(Builder options) {
    handler = options.handler;
    fields = options.fields;
    strictTransportSecurity = options.strictTransportSecurity;
  }

  /** Adds the default fields. */
  public static SecurityHeaders of(Handler handler) {
    return builder(handler).build();
  }

  /** Creates a builder with the default fields. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    boolean secure = request.isSecure();
    response.beforeCommit(() -> addFields(response, secure));
    handler.handle(request, response);
  }

  private void addFields(Response response, boolean secure) {
    for (int i = 0; i < fields.count(); i++) {
      String name = fields.name(i);
      addUnlessSet(response, name, Objects.requireNonNull(fields.value(name)));
    }
    if (secure && strictTransportSecurity != null) {
      addUnlessSet(response, HeaderName.STRICT_TRANSPORT_SECURITY, strictTransportSecurity);
    }
  }

  private static void addUnlessSet(Response response, String name, String value) {
    if (response.header(name) == null) {
      response.header(name, value);
    }
  }

  /** Options for the fields. Not thread-safe. */
  public static final class Builder {
    private final Handler handler;
    private PreparedFields fields = DEFAULTS;
    private @Nullable String strictTransportSecurity;

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Sets a field, in place of the default one of that name.
     *
     * @throws IllegalArgumentException as {@link PreparedFields#of} throws it
     */
    public Builder field(String name, String value) {
      fields = without(name).and(name, value);
      return this;
    }

    /** Leaves out the field of that name. */
    public Builder noField(String name) {
      fields = without(name);
      return this;
    }

    private PreparedFields without(String name) {
      PreparedFields others = PreparedFields.NONE;
      for (int i = 0; i < fields.count(); i++) {
        String other = fields.name(i);
        if (!other.equalsIgnoreCase(name)) {
          others = others.and(other, Objects.requireNonNull(fields.value(other)));
        }
      }
      return others;
    }

    /**
     * Has browsers use only HTTPS for this host from now on (RFC 6797); not by default. The field
     * is sent only if the client's connection is secured ({@link Request#isSecure}). A browser
     * keeps to it until the time is over, so begin with a short one.
     *
     * @param maxAge in seconds; zero ends it
     * @param includeSubDomains true to extend it to all subdomains of the host
     * @throws IllegalArgumentException if it is negative, or above 36,500 days
     */
    public Builder strictTransportSecurity(Duration maxAge, boolean includeSubDomains) {
      Range.checkNotNegative("maxAge", maxAge);
      strictTransportSecurity =
          "max-age=" + maxAge.toSeconds() + (includeSubDomains ? "; includeSubDomains" : "");
      return this;
    }

    /** Returns the handler. */
    public SecurityHeaders build() {
      return new SecurityHeaders(this);
    }
  }
}
