package dev.peregrine.bench.blocking;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Items of a database, of which nine in ten requests find theirs in memory. The pool has HikariCP's
 * default of ten connections. Thread-safe.
 */
final class JdbcCache implements AutoCloseable {
  private static final int REQUESTS_PER_MISS = 10;
  private static final int CONNECTIONS = 10;

  private final JdbcItems items;
  private final Map<Integer, byte[]> known = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();

  /** Creates a cache; it connects when it is first used. */
  JdbcCache(String url) {
    items = new JdbcItems(url, CONNECTIONS);
  }

  /** Returns the text of the next item. */
  byte[] next() throws IOException, SQLException {
    int request = requests.incrementAndGet();
    int id = Math.floorMod(request, LocalPostgres.ITEMS);
    byte[] text = request % REQUESTS_PER_MISS == 0 ? null : known.get(id);
    return text == null ? look(id) : text;
  }

  private byte[] look(int id) throws IOException, SQLException {
    byte[] text = items.query(id);
    known.put(id, text);
    return text;
  }

  @Override
  public void close() {
    items.close();
  }
}
