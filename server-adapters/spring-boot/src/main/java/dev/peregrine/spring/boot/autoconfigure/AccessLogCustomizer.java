package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.spring.boot.PeregrineServerCustomizer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes an access log while the server runs. */
final class AccessLogCustomizer implements PeregrineServerCustomizer {
  private final Path file;
  private final PeregrineProperties.AccessLog options;
  private @Nullable AccessLog log; // null while the server is stopped

  AccessLogCustomizer(Path file, PeregrineProperties.AccessLog options) {
    this.file = file;
    this.options = options;
  }

  @Override
  public void customize(HttpServerBuilder builder) {
    AccessLog opened =
        AccessLog.builder(file).format(options.format()).query(options.query()).build();
    log = opened;
    builder.exchangeListener(opened);
  }

  @Override
  public void onStopped() {
    AccessLog open = log;
    log = null;
    if (open != null) {
      open.close();
    }
  }
}
