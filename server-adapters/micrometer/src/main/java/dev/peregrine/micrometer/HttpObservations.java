package dev.peregrine.micrometer;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.InContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link Observation} of each request, for what is registered with Micrometer's registry:
 * a timer, spans of Micrometer Tracing, handlers of the application.
 *
 * <pre>{@code
 * Handler observed = HttpObservations.around(routes, registry);
 * }</pre>
 *
 * <p>Its name is {@code http.server.requests}, as in other frameworks, and {@code GET /users/{id}}
 * that of its span; {@link RequestConvention} has the key values, which are named by
 * OpenTelemetry's conventions for HTTP servers. The context is a {@link RequestContext}: a {@code
 * RequestReplyReceiverContext}, out of which tracing reads the caller's span.
 *
 * <p>It starts when the handler is called, and stops with the exchange. Its scope is open in the
 * handler, also where {@code Handlers.blocking} runs it, and in every callback that it gives to its
 * request or response: see {@link dev.peregrine.http.context.CallContext}. What follows an upgrade,
 * such as the messages of a WebSocket, belongs to no request and is not in its scope.
 *
 * <p>A request has one observation. Where the calling thread has a current one already, or an outer
 * filter of this kind has made one, none is added. A framework inside that makes observations by
 * itself would add another: switch one of the two off, this one by {@link Builder#only}.
 *
 * <p>Does nothing with a registry that is {@linkplain ObservationRegistry#isNoop noop}. Handlers of
 * the registry are called on event loops and must not block. Thread-safe.
 */
public final class HttpObservations implements Handler {
  private static final AttributeKey<Observation> OBSERVATION = AttributeKey.of("observation");

  private final Handler handler;
  private final ObservationRegistry registry;
  private final @Nullable RequestConvention convention; // null for that of the registry
  private final @Nullable Predicate<? super Request> only; // null for all
  private final @Nullable Predicate<? super Request> untrusted; // null for none

  private HttpObservations(Builder options) {
    handler = options.handler;
    registry = options.registry;
    convention = options.convention;
    only = options.only;
    untrusted = options.untrusted;
  }

  /** Returns a handler that makes an observation of each request around another handler. */
  public static HttpObservations around(Handler handler, ObservationRegistry registry) {
    return builder(handler, registry).build();
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler, ObservationRegistry registry) {
    return new Builder(handler, registry);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    boolean known =
        request.attribute(OBSERVATION) != null || registry.getCurrentObservation() != null;
    if (known || registry.isNoop() || (only != null && !only.test(request))) {
      handler.handle(request, response);
      return;
    }
    boolean trusted = untrusted == null || !untrusted.test(request);
    RequestContext context = new RequestContext(request, response, trusted);
    Observation observation =
        Observation.createNotStarted(
            convention, RequestConvention.DEFAULT, () -> context, registry);
    observation.start();
    request.attribute(OBSERVATION, observation);
    ObservedRequest own = new ObservedRequest(observation, context);
    response.beforeCommit(own).onComplete(own);
    InContext.handle(own, handler, request, response);
  }

  /** Options for observations. */
  public static final class Builder {
    private final Handler handler;
    private final ObservationRegistry registry;
    private @Nullable RequestConvention convention;
    private @Nullable Predicate<? super Request> only;
    private @Nullable Predicate<? super Request> untrusted;

    private Builder(Handler handler, ObservationRegistry registry) {
      this.handler = Objects.requireNonNull(handler, "handler");
      this.registry = Objects.requireNonNull(registry, "registry");
    }

    /** Sets which requests have observations; all by default. */
    public Builder only(Predicate<? super Request> observed) {
      only = Objects.requireNonNull(observed);
      return this;
    }

    /**
     * Sets which requests come from clients that must not choose the trace: none by default.
     * Tracing reads no field of theirs, neither {@code traceparent} nor {@code baggage}, of which
     * OpenTelemetry would log each malformed member. For a server on the internet: {@code request
     * -> true}.
     */
    public Builder untrusted(Predicate<? super Request> fromOutside) {
      untrusted = Objects.requireNonNull(fromOutside);
      return this;
    }

    /**
     * Sets names and key values. By default those of a convention that is registered with the
     * registry, otherwise {@link RequestConvention#DEFAULT}.
     */
    public Builder convention(RequestConvention names) {
      convention = Objects.requireNonNull(names);
      return this;
    }

    /** Returns the handler. */
    public HttpObservations build() {
      return new HttpObservations(this);
    }
  }
}
