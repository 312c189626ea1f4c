package dev.peregrine.grpc;

import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.context.CallThreads;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.InternalServer;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerStreamTracer;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a set of services have in common.
 *
 * @param context of calls whose tracers have none
 * @param plain the codings of a response whose messages are not compressed
 * @param executors chooses the executor of a call in place of its service's; or null
 */
record CallSettings(
    Server server,
    Context context,
    CompressorRegistry compressors,
    DecompressorRegistry decompressors,
    PreparedFields plain,
    int messageBytesMax,
    UnsentBytes unsent,
    List<ServerStreamTracer.Factory> tracers,
    @Nullable ServerCallExecutorSupplier executors) {
  static final String IDENTITY = Codec.Identity.NONE.getMessageEncoding();

  /** Returns the value of grpc-accept-encoding. */
  String acceptEncoding() {
    return acceptEncoding(decompressors);
  }

  private static String acceptEncoding(DecompressorRegistry known) {
    return String.join(",", known.getAdvertisedMessageEncodings());
  }

  /** Returns the fields for the codings of messages in a response and in requests. */
  PreparedFields codings(String encoding) {
    return encoding.equals(IDENTITY) ? plain : codings(encoding, decompressors);
  }

  static PreparedFields codings(String encoding, DecompressorRegistry known) {
    return PreparedFields.of(
        Fields.ENCODING, encoding, Fields.ACCEPT_ENCODING, acceptEncoding(known));
  }

  /** Returns a context in which services find their server. */
  static Context context(Context parent, Server server) {
    return parent.withValue(InternalServer.SERVER_CONTEXT_KEY, server);
  }

  /** Returns what runs the callbacks of a call, on which its supplier may decide. */
  Executor executor(ServerCall<?, ?> call, CallHead head, Executor ofService) {
    Executor own = executors == null ? null : executors.getExecutor(call, head.metadata());
    Executor chosen = own == null ? ofService : own;
    return GrpcServices.VIRTUAL_THREADS.equals(chosen) ? CallThreads.of(head.request()) : chosen;
  }
}
