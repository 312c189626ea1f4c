package dev.peregrine.bench.blocking;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Items of a database, of which nine in ten requests find theirs in memory. The pool of HikariCP
 * has its defaults: ten connections. Thread-safe.
 */
final class JdbcCache implements AutoCloseable {
  private static final int REQUESTS_PER_MISS = 10;

  private final HikariDataSource database = new HikariDataSource();
  private final Map<Integer, byte[]> known = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();

  /** Creates a cache; it connects when it is first used. */
  JdbcCache(String url) {
    database.setJdbcUrl(url);
  }

  /** Returns the text of the next item. */
  byte[] next() throws IOException, SQLException {
    int request = requests.incrementAndGet();
    int id = Math.floorMod(request, LocalPostgres.ITEMS);
    byte[] text = request % REQUESTS_PER_MISS == 0 ? null : known.get(id);
    return text == null ? look(id) : text;
  }

  private byte[] look(int id) throws IOException, SQLException {
    byte[] text = query(id);
    known.put(id, text);
    return text;
  }

  private byte[] query(int id) throws IOException, SQLException {
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
