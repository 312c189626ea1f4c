package dev.peregrine.micrometer;

import dev.peregrine.http.Request;
import dev.peregrine.http.context.SpanAttributes;
import io.micrometer.common.KeyValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of a request as texts. */
final class RequestKeyValues implements SpanAttributes.Sink {
  /** Those of low cardinality. */
  static final Set<String> LOW =
      Set.of("http.request.method", "url.scheme", "network.protocol.version");

  private final Map<String, String> values = new LinkedHashMap<>();

  private RequestKeyValues() {}

  static Map<String, String> of(Request request) {
    RequestKeyValues all = new RequestKeyValues();
    SpanAttributes.begin(request, all);
    return all.values;
  }

  /** Returns a pair whose value is {@code none} instead of null. */
  static KeyValue orNone(String name, @Nullable String value) {
    return KeyValue.of(name, value == null ? KeyValue.NONE_VALUE : value);
  }

  @Override
  public void put(String name, String value) {
    values.put(name, value);
  }

  @Override
  public void put(String name, long value) {
    values.put(name, Long.toString(value));
  }
}
