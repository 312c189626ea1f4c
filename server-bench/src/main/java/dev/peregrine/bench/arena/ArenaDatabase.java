package dev.peregrine.bench.arena;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.sockets.LoopSocketFactory;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The profiles with a database, {@code async-db} and {@code crud}: JDBC in handlers that block,
 * whose sockets wait in the event loops. Thread-safe.
 */
final class ArenaDatabase {
  private static final String COLUMNS =
      "SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count"
          + " FROM items ";
  private static final String UPSERT =
      """
      INSERT INTO items VALUES (?, ?, ?, ?, ?, true, '[]', 0, 0) ON CONFLICT (id) DO UPDATE
      SET name = excluded.name, category = excluded.category, price = excluded.price,
      quantity = excluded.quantity
      """;
  private static final String UPDATE =
      "UPDATE items SET name = ?, price = ?, quantity = ? WHERE id = ?";
  private static final int LIMIT_MAX = 50;
  private static final int PAGE = 10;
  private static final int MIN = 10;
  private static final int JSON_BYTES_MAX = 8 * 1024;
  private static final long KEPT_NANOS = Duration.ofMillis(200).toNanos();
  private static final int CREATED = 201;

  private final HikariDataSource database;
  private final Map<Integer, Kept> kept = new ConcurrentHashMap<>();

  private ArenaDatabase(HikariDataSource database) {
    this.database = database;
  }

  private record Kept(Row row, long until) {}

  /** Begins to connect, without waiting: {@code postgres://USER:PASSWORD@HOST:PORT/NAME}. */
  static ArenaDatabase of(String url, int connections) {
    URI address = URI.create(url);
    String[] user = address.getUserInfo().split(":", 2);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:postgresql://" + address.getAuthority().replaceFirst(".*@", "") + address.getPath());
    config.setUsername(user[0]);
    config.setPassword(user[1]);
    config.addDataSourceProperty("socketFactory", LoopSocketFactory.class.getName());
    config.setMaximumPoolSize(connections);
    config.setInitializationFailTimeout(-1);
    return new ArenaDatabase(new HikariDataSource(config));
  }

  Routes.Builder addTo(Routes.Builder routes) {
    Handler single = Handlers.blocking(this::single);
    return routes
        .get("/async-db", Handlers.blocking(this::range))
        .get("/crud/items", Handlers.blocking(this::list))
        .get("/crud/items/{id}", (request, response) -> cached(request, response, single))
        .post("/crud/items", Handlers.blocking(this::create))
        .put("/crud/items/{id}", Handlers.blocking(this::update));
  }

  private void range(Request request, Response response) throws SQLException {
    Parameters query = request.queryParameters();
    int limit = limit(query, LIMIT_MAX);
    List<Row> rows =
        rows(
            COLUMNS + "WHERE price BETWEEN ? AND ? LIMIT ?",
            number(query, "min", MIN),
            number(query, "max", LIMIT_MAX),
            limit);
    response.json(new Row.Range(rows, rows.size()));
  }

  private void list(Request request, Response response) throws SQLException {
    Parameters query = request.queryParameters();
    String category = query.first("category");
    int page = Math.max(number(query, "page", 1), 1);
    int limit = limit(query, PAGE);
    List<Row> rows =
        rows(
            COLUMNS + "WHERE category = ? ORDER BY id LIMIT ? OFFSET ?",
            category == null ? "electronics" : category,
            limit,
            (page - 1) * limit);
    response.json(new Row.Listing(rows, rows.size(), page, limit));
  }

  private void cached(Request request, Response response, Handler single) throws Exception {
    Kept one = kept.get(id(request));
    if (one != null && one.until - System.nanoTime() > 0) {
      response.header("X-Cache", "HIT").json(one.row);
    } else {
      single.handle(request, response);
    }
  }

  private void single(Request request, Response response) throws SQLException {
    int id = id(request);
    List<Row> found = rows(COLUMNS + "WHERE id = ?", id);
    if (found.isEmpty()) {
      throw new HttpException(404, "no item " + id);
    }
    kept.put(id, new Kept(found.getFirst(), System.nanoTime() + KEPT_NANOS));
    response.header("X-Cache", "MISS").json(found.getFirst());
  }

  private void create(Request request, Response response) throws IOException, SQLException {
    Row.Change item = request.readJson(JSON_BYTES_MAX, Row.Change.class);
    int ignored =
        change(UPSERT, item.id(), item.name(), item.category(), item.price(), item.quantity());
    kept.remove(item.id());
    response.status(CREATED).json(item);
  }

  private void update(Request request, Response response) throws IOException, SQLException {
    int id = id(request);
    Row.Change item = request.readJson(JSON_BYTES_MAX, Row.Change.class);
    if (change(UPDATE, item.name(), item.price(), item.quantity(), id) == 0) {
      throw new HttpException(404, "no item " + id);
    }
    kept.remove(id);
    response.json(new Row.Change(id, item.name(), item.category(), item.price(), item.quantity()));
  }

  private List<Row> rows(String sql, Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = prepared(connection, sql, values);
        ResultSet found = select.executeQuery()) {
      List<Row> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(Row.of(found));
      }
      return rows;
    }
  }

  private int change(String sql, @Nullable Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = prepared(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  private static PreparedStatement prepared(
      Connection connection, String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  private static int id(Request request) {
    return request.pathParameter("id", Integer::valueOf);
  }

  private static int limit(Parameters query, int otherwise) {
    return Math.clamp(number(query, "limit", otherwise), 1, LIMIT_MAX);
  }

  private static int number(Parameters query, String name, int otherwise) {
    Integer value = query.first(name, Integer::valueOf);
    return value == null ? otherwise : value;
  }
}
