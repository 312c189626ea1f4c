package dev.peregrine.bench.blocking;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Items of a database, by a pool of HikariCP. Thread-safe. */
final class JdbcItems implements AutoCloseable {
  private final HikariDataSource database = new HikariDataSource();
  private final AtomicInteger requests = new AtomicInteger();

  /**
   * Creates a pool; it connects when it is first used.
   *
   * @param connections the most and the least of them
   */
  JdbcItems(String url, int connections) {
    database.setJdbcUrl(url);
    database.setMaximumPoolSize(connections);
  }

  /** Returns the text of the next item, from the database. */
  byte[] next() throws IOException, SQLException {
    return query(Math.floorMod(requests.incrementAndGet(), LocalPostgres.ITEMS));
  }

  /** Returns the text of an item, from the database. */
  byte[] query(int id) throws IOException, SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT text FROM item WHERE id = ?")) {
      select.setInt(1, id);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new IOException("no item " + id);
        }
        return rows.getString(1).getBytes(StandardCharsets.US_ASCII);
      }
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
