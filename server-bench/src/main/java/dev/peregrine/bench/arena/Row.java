package dev.peregrine.bench.arena;

import io.avaje.jsonb.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An item of HttpArena's database. */
@Json
record Row(
    int id,
    String name,
    String category,
    int price,
    int quantity,
    boolean active,
    List<String> tags,
    Item.Rating rating) {
  /** A response to {@code /async-db}. */
  @Json
  record Range(List<Row> items, int count) {}

  /** A response to {@code /crud/items}. */
  @Json
  record Listing(List<Row> items, int total, int page, int limit) {}

  /** An item to create, or its changes. */
  @Json
  record Change(int id, String name, @Nullable String category, int price, int quantity) {}

  /** Returns the item that the result stands at. */
  static Row of(ResultSet found) throws SQLException {
    return new Row(
        found.getInt("id"),
        found.getString("name"),
        found.getString("category"),
        found.getInt("price"),
        found.getInt("quantity"),
        found.getBoolean("active"),
        ArenaJson.texts(found.getString("tags")),
        new Item.Rating(found.getInt("rating_score"), found.getInt("rating_count")));
  }
}
