package dev.peregrine.micrometer;

import dev.peregrine.http.Request;
import dev.peregrine.http.context.SpanAttributes;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Map;

/**
 * The names and key values of observed requests. Override the methods to change them.
 *
 * <p>Of low cardinality, so for metrics too: {@code http.request.method}, {@code url.scheme},
 * {@code network.protocol.version}, {@code http.route}, {@code http.response.status_code} and
 * {@code error.type}, with the value {@code none} where one is absent. The other attributes of a
 * span are of high cardinality.
 */
public interface RequestConvention extends ObservationConvention<RequestContext> {
  /** The names and key values without changes. */
  RequestConvention DEFAULT = new RequestConvention() {};

  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof RequestContext;
  }

  @Override
  default String getName() {
    return "http.server.requests";
  }

  @Override
  default String getContextualName(RequestContext context) {
    return SpanAttributes.spanName(context.request());
  }

  @Override
  default KeyValues getLowCardinalityKeyValues(RequestContext context) {
    Request request = context.request();
    Map<String, String> known = RequestKeyValues.of(request);
    int status = context.status();
    return KeyValues.of(
        KeyValue.of("http.request.method", SpanAttributes.method(request)),
        KeyValue.of("url.scheme", request.scheme()),
        RequestKeyValues.orNone("network.protocol.version", known.get("network.protocol.version")),
        RequestKeyValues.orNone("http.route", request.routeTemplate()),
        RequestKeyValues.orNone(
            "http.response.status_code", status == 0 ? null : Integer.toString(status)),
        RequestKeyValues.orNone("error.type", context.errorType()));
  }

  @Override
  default KeyValues getHighCardinalityKeyValues(RequestContext context) {
    Map<String, String> known = RequestKeyValues.of(context.request());
    known.keySet().removeAll(RequestKeyValues.LOW);
    return KeyValues.of(known.entrySet(), Map.Entry::getKey, Map.Entry::getValue);
  }
}
