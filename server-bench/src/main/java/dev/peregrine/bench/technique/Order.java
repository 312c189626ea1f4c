package dev.peregrine.bench.technique;

import io.avaje.jsonb.Json;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import java.util.ArrayList;
import java.util.List;

/** A typical document, of about 1.5 KB as JSON. */
@Json
record Order(long id, String customer, String currency, List<Line> lines, String remark) {
  /** The library that the examples use. */
  static final JsonType<Order> TYPE = Jsonb.instance().type(Order.class);

  private static final int LINES = 20;

  /** One of its parts. */
  @Json
  record Line(String article, int quantity, long cents, boolean inStock) {}

  static Order typical() {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new Line("article-" + 7919 * i, i % 4 + 1, 199L * (i + 1), i % 3 != 0));
    }
    return new Order(20_261_121, "Jürgen Müller", "EUR", lines, "ring twice");
  }
}
