package dev.peregrine.opentelemetry;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.InContext;
import dev.peregrine.http.context.SpanAttributes;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each request, by OpenTelemetry's semantic conventions for HTTP servers.
 *
 * <pre>{@code
 * OpenTelemetry telemetry = GlobalOpenTelemetry.get();
 * HttpServer server =
 *     Peregrine.builder().handler(HttpSpans.around(routes, telemetry)).start();
 * }</pre>
 *
 * <p>It begins when the handler is called, and ends with the exchange. Its parent is the span that
 * the client names, as the propagators of the {@code OpenTelemetry} read it: {@code traceparent}
 * and {@code tracestate} of W3C Trace Context, unless others are configured. More than one {@code
 * traceparent} counts as none. The name is {@code GET /users/{id}}; it is set at the end, because
 * the route isn't known before. It has all required and recommended attributes of the convention,
 * {@code client.address} from trusted proxies only, and no fields of the request but the user
 * agent.
 *
 * <p>A status from 500 on, and a response that isn't what the handler intended, make the span an
 * error, with {@code error.type} as the metrics of the server have it, except that a lost
 * connection is {@code aborted}. Exceptions of handlers and callbacks are recorded, unless they are
 * the client's fault.
 *
 * <p>The span is current ({@link Span#current()}) in the handler, also where {@code
 * Handlers.blocking} runs it, and in every callback that it gives to its request or response: see
 * {@link dev.peregrine.http.context.CallContext}. For threads of your own, wrap the work: {@code
 * Context.current().wrap(work)}.
 *
 * <p>The span of a WebSocket, an upgrade or a tunnel ends when the protocol is switched. What
 * follows may last for hours and belongs to no request, so it has no current span: link the spans
 * of messages to the context of the handshake, {@code Span.current().getSpanContext()} in the
 * handler. A stream of events is one response, and one span until its end.
 *
 * <p>A request has one span. Where the calling thread has a current span already, or an outer
 * filter of this kind has made one, none is added. A framework inside that makes spans by itself
 * would add a child: switch one of the two off, this one by {@link Builder#only}.
 *
 * <p>Spans are ended on event loops: the SDK must have a {@code BatchSpanProcessor}, as by default,
 * or one that doesn't block either. Thread-safe.
 */
public final class HttpSpans implements Handler {
  private static final String SCOPE = "dev.peregrine";
  private static final AttributeKey<Span> SPAN = AttributeKey.of("span");

  private final Handler handler;
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final @Nullable Predicate<? super Request> only; // null for all
  private final @Nullable Predicate<? super Request> untrusted; // null for none

  private HttpSpans(Builder options) {
    handler = options.handler;
    tracer = options.telemetry.getTracer(SCOPE);
    propagator = options.telemetry.getPropagators().getTextMapPropagator();
    only = options.only;
    untrusted = options.untrusted;
  }

  /** Returns a handler that makes a span of each request around another handler. */
  public static HttpSpans around(Handler handler, OpenTelemetry telemetry) {
    return builder(handler, telemetry).build();
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler, OpenTelemetry telemetry) {
    return new Builder(handler, telemetry);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    boolean known = request.attribute(SPAN) != null || Span.current().getSpanContext().isValid();
    if (known || (only != null && !only.test(request))) {
      handler.handle(request, response);
      return;
    }
    boolean stranger = untrusted != null && untrusted.test(request);
    RequestFields fields = stranger ? RequestFields.OF_STRANGER : RequestFields.ALL;
    Context parent = propagator.extract(Context.root(), request, fields);
    SpanBuilder builder =
        tracer.spanBuilder(SpanAttributes.spanName(request)).setSpanKind(SpanKind.SERVER);
    Context base = parent;
    if (stranger) {
      SpanContext claimed = Span.fromContext(parent).getSpanContext();
      base = Context.root();
      builder.addLink(claimed); // ignored if it isn't valid
    }
    builder.setParent(base);
    SpanAttributes.begin(request, new BuilderSink(builder));
    Span span = builder.startSpan();
    request.attribute(SPAN, span);
    ServerSpan own = new ServerSpan(request, response, span, base.with(span));
    response.beforeCommit(own).onComplete(own);
    InContext.handle(own, handler, request, response);
  }

  private record BuilderSink(SpanBuilder builder) implements SpanAttributes.Sink {
    @Override
    public void put(String name, String value) {
      builder.setAttribute(name, value);
    }

    @Override
    public void put(String name, long value) {
      builder.setAttribute(name, value);
    }
  }

  /** Options for spans. */
  public static final class Builder {
    private final Handler handler;
    private final OpenTelemetry telemetry;
    private @Nullable Predicate<? super Request> only;
    private @Nullable Predicate<? super Request> untrusted;

    private Builder(Handler handler, OpenTelemetry telemetry) {
      this.handler = Objects.requireNonNull(handler, "handler");
      this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
    }

    /**
     * Sets which requests have spans; all by default. Others, such as checks of health, are handled
     * without.
     */
    public Builder only(Predicate<? super Request> traced) {
      only = Objects.requireNonNull(traced);
      return this;
    }

    /**
     * Sets which requests come from clients that must not choose the trace, and whether it is
     * recorded; none by default. Their spans begin a new trace, and link to the span that the
     * client names; their {@code baggage} isn't read. For a server on the internet: {@code request
     * -> true}.
     */
    public Builder untrusted(Predicate<? super Request> fromOutside) {
      untrusted = Objects.requireNonNull(fromOutside);
      return this;
    }

    /** Returns the handler. */
    public HttpSpans build() {
      return new HttpSpans(this);
    }
  }
}
