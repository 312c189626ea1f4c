package dev.peregrine.grpc;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import io.grpc.Codec;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Decompressor;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The head of a call, read on the event loop.
 *
 * @param decompressor of compressed messages
 * @param timeoutNanos until the client's deadline; {@link #NO_TIMEOUT} without one
 * @param web null if the call isn't one of gRPC-Web
 */
record CallHead(
    Request request,
    Response response,
    ReceivedFields fields,
    Decompressor decompressor,
    long timeoutNanos,
    @Nullable String authority,
    boolean isSecure,
    CallAttributes attributes,
    @Nullable WebFormat web) {
  /** In place of a time. */
  static final long NO_TIMEOUT = Long.MIN_VALUE;

  Metadata metadata() {
    return fields.metadata();
  }

  /** Returns true if the client accepts messages in that encoding. */
  boolean accepts(String encoding) {
    if (encoding.equals(CallSettings.IDENTITY)) {
      return true;
    }
    String accepted = fields.acceptEncoding();
    if (accepted != null) {
      for (String each : accepted.split(",", -1)) {
        if (each.strip().equals(encoding)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns a compressed message as it was before.
   *
   * @param bytesMax of the result, which fails when it is larger
   */
  InputStream decompress(InputStream message, int bytesMax) {
    if (Codec.Identity.NONE.equals(decompressor)) {
      throw Status.INTERNAL
          .withDescription("Can't decode compressed gRPC message as compression not configured")
          .asRuntimeException();
    }
    return LimitedInput.decompress(message, decompressor, bytesMax);
  }

  /**
   * Creates the context of the call, which is cancelled at its deadline.
   *
   * @param filtered by the tracers
   */
  Context.CancellableContext context(Context filtered, CallSettings settings) {
    Context context =
        filtered.equals(Context.ROOT)
            ? settings.context()
            : CallSettings.context(filtered, settings.server());
    if (timeoutNanos == NO_TIMEOUT) {
      return context.withCancellation();
    }
    Deadline deadline = Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS);
    return context.withDeadline(deadline, new LoopTimers(response));
  }
}
