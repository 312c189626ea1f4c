package dev.peregrine.micrometer;

import dev.peregrine.http.Outcome;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.SpanAttributes;
import dev.peregrine.protocol.HeaderName;
import io.micrometer.observation.transport.RequestReplyReceiverContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an observed request. Request and response can be read until the observation has
 * stopped.
 */
public final class RequestContext extends RequestReplyReceiverContext<Request, Response> {
  private final Request request;
  private int status;
  private @Nullable String errorType;

  /**
   * Creates a context.
   *
   * @param trusted whether fields of the request name the caller's span and baggage
   */
  @SuppressWarnings("NullAway") // Micrometer takes null for an absent field
  RequestContext(Request request, Response response, boolean trusted) {
    super(trusted ? RequestContext::field : (_, _) -> null);
    this.request = request;
    setCarrier(request);
    setResponse(response);
  }

  /** Returns the value of a field; none if {@code traceparent}, which must be one, is repeated. */
  @SuppressWarnings("NullAway") // Micrometer takes null for an absent field
  private static @Nullable String field(Request carrier, String name) {
    List<String> values = carrier.headers(name);
    boolean ambiguous = values.size() > 1 && name.equalsIgnoreCase(HeaderName.TRACEPARENT);
    return values.isEmpty() || ambiguous ? null : String.join(",", values);
  }

  /** Returns the request. */
  public Request request() {
    return request;
  }

  /** Returns the status that was sent; 0 if none was yet. */
  public int status() {
    return status;
  }

  /** Returns the error that the exchange has ended with; null for none, and before the end. */
  public @Nullable String errorType() {
    return errorType;
  }

  void sent() {
    status = Objects.requireNonNull(getResponse()).status();
  }

  void ended(Outcome outcome) {
    errorType = SpanAttributes.errorType(status, outcome);
  }
}
