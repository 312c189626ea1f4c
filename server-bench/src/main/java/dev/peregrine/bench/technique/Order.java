package dev.peregrine.bench.technique;

import io.avaje.jsonb.Json;
import java.util.List;

/** A typical document. */
@Json
record Order(long id, String customer, String currency, List<Line> lines) {
  /** One of its parts. */
  @Json
  record Line(String article, int quantity, long cents, boolean inStock) {}
}
