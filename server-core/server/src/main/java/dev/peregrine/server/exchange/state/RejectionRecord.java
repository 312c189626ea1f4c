package dev.peregrine.server.exchange.state;

import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.RejectedRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The facts of a rejected request, valid during a call; one object per event loop. */
final class RejectionRecord implements RejectedRequest {
  private @Nullable Connection connection;
  private @Nullable KnownError error;
  private int contentBytes;
  private long nanos;

  void begin(Connection rejected, KnownError with, int sentBytes, long nowNanos) {
    connection = rejected;
    error = with;
    contentBytes = sentBytes;
    nanos = nowNanos;
  }

  void end() {
    connection = null;
    error = null;
  }

  private KnownError error() {
    KnownError known = error;
    if (known == null) {
      throw new IllegalStateException("used after the call of the listener");
    }
    return known;
  }

  @Override
  public ConnectionInfo connection() {
    KnownError ignored = error();
    return Objects.requireNonNull(connection).record();
  }

  @Override
  public int status() {
    return error().error().status();
  }

  @Override
  public @Nullable Rejection rejection() {
    return error().rejection();
  }

  @Override
  public String reason() {
    return Objects.requireNonNullElse(error().error().detail(), error().error().title());
  }

  @Override
  public int responseContentBytes() {
    return contentBytes;
  }

  @Override
  public long nanos() {
    return nanos;
  }
}
