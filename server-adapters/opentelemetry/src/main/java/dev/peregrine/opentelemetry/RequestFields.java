package dev.peregrine.opentelemetry;

import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a request, for propagators. */
final class RequestFields implements TextMapGetter<Request> {
  /** The fields of a caller that is trusted. */
  static final RequestFields ALL = new RequestFields(true);

  /**
   * The fields of another caller: those that name its span, but no {@code baggage}, which would be
   * read for nothing. OpenTelemetry's propagator logs each of its members that is malformed.
   */
  static final RequestFields OF_STRANGER = new RequestFields(false);

  private static final String BAGGAGE = "baggage";

  private final boolean withBaggage;

  private RequestFields(boolean withBaggage) {
    this.withBaggage = withBaggage;
  }

  private List<String> values(Request request, String name) {
    return withBaggage || !name.equalsIgnoreCase(BAGGAGE) ? request.headers(name) : List.of();
  }

  @Override
  @Deprecated // by the interface, which still requires it
  public Iterable<String> keys(Request request) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < request.headerCount(); i++) {
      names.add(request.headerName(i));
    }
    return names;
  }

  /**
   * Returns the value of a field: all lines of it as one list (RFC 9110 section 5.3), but null if
   * {@code traceparent}, which has one value, is repeated.
   */
  @Override
  public @Nullable String get(@Nullable Request request, String name) {
    if (request == null) {
      return null;
    }
    List<String> values = values(request, name);
    return switch (values.size()) {
      case 0 -> null;
      case 1 -> values.getFirst();
      default -> name.equalsIgnoreCase(HeaderName.TRACEPARENT) ? null : String.join(",", values);
    };
  }

  @Override
  public Iterator<String> getAll(@Nullable Request request, String name) {
    return request == null ? List.<String>of().iterator() : values(request, name).iterator();
  }
}
