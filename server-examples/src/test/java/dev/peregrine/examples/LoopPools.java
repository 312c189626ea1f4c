package dev.peregrine.examples;

import dev.peregrine.server.sockets.LoopSocketFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;

// snippet: loop-pools
/** A pool of connections for each event loop, so that a connection stays with its loop. */
final class LoopPools {
  private final Map<String, DataSource> pools = new ConcurrentHashMap<>();
  private final Supplier<DataSource> create; // such as () -> new HikariDataSource(config)

  LoopPools(Supplier<DataSource> create) {
    this.create = create;
  }

  Connection getConnection() throws SQLException {
    String loop = Objects.requireNonNullElse(LoopSocketFactory.currentLoop(), "other threads");
    return pools.computeIfAbsent(loop, name -> create.get()).getConnection();
  }

  /** Closes all pools; after the end of the server. */
  void close() throws Exception {
    for (DataSource pool : pools.values()) {
      if (pool instanceof AutoCloseable closeable) {
        closeable.close();
      }
    }
  }
}
// end
