package dev.peregrine.http.context;

import dev.peregrine.http.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * The status of a remote procedure call inside of a response: the status of HTTP is 200 for nearly
 * all calls of gRPC. Who serves calls sets it, and the access log, metrics and the Flight Recorder
 * show it.
 */
public final class RpcStatus {
  /** The code of gRPC, 0 (OK) to 16, an attribute of the request; absent for other requests. */
  public static final AttributeKey<Integer> CODE = AttributeKey.of("rpc status");

  /** In place of a code. */
  public static final int NONE = -1;

  private static final int MOST = 16;

  private RpcStatus() {}

  /**
   * Returns the code that an attribute has; {@link #NONE} for null, and for values that aren't
   * codes, so that a program can't make series of metrics without end.
   */
  public static int code(@Nullable Integer attribute) {
    return attribute == null || attribute < 0 || attribute > MOST ? NONE : attribute;
  }
}
