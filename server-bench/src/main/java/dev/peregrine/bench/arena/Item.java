package dev.peregrine.bench.arena;

import io.avaje.jsonb.Json;
import java.util.List;

/** An item of HttpArena's data set; the total is computed for each response. */
@Json
record Item(
    int id,
    String name,
    String category,
    int price,
    int quantity,
    boolean active,
    List<String> tags,
    Rating rating,
    long total) {
  /** How customers like an item. */
  @Json
  record Rating(int score, int count) {}

  /** A response to {@code /json/COUNT}. */
  @Json
  record Page(List<Item> items, int count) {}

  Item times(int factor) {
    long product = (long) price * quantity * factor;
    return new Item(id, name, category, price, quantity, active, tags, rating, product);
  }
}
