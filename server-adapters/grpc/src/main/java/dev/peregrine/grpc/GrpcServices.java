package dev.peregrine.grpc;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.context.CallThreads;
import dev.peregrine.http.route.Routes;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import io.grpc.BinaryLog;
import io.grpc.BindableService;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.Decompressor;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * gRPC services as a handler: generated stubs, interceptors, and the services for reflection and
 * health run on it unchanged. The server needs HTTP/2, except for {@linkplain Builder#web
 * gRPC-Web}.
 *
 * <pre>{@code
 * GrpcServices services = GrpcServices.of(new GreeterService());
 * HttpServer server = Peregrine.builder().port(8080).handler(services.beside(routes)).start();
 * }</pre>
 *
 * <p>The callbacks of a call are called one at a time, where the executor of their service runs
 * them: on virtual threads, where they may block ({@link #VIRTUAL_THREADS}), on the event loop of
 * the connection, where they must not ({@link #ON_LOOP}), or on threads of the application's.
 *
 * <p>A call over HTTP/2 has no limits of HTTP: it may be silent for any time and have any number of
 * messages. Its deadline, {@link Builder#maxInboundMessageSize}, and the flow control of HTTP/2
 * bound it. A listener that requests no messages lets at most one piece of content wait. Immutable,
 * so any number of servers may have it.
 */
public final class GrpcServices implements Handler {
  /** Calls listeners on the event loop of their connection, where they must not block. */
  public static final Executor ON_LOOP = Runnable::run;

  /**
   * Calls listeners on virtual threads, where they may block; the default. The event loop of the
   * connection carries these threads, where the JVM has the option for that ({@link CallThreads}).
   */
  public static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("grpc").start(task);

  /**
   * The status of a call that has ended, for listeners of exchanges: what was sent, or why none
   * was. The access log, metrics and the Flight Recorder show its code.
   */
  public static final AttributeKey<Status> STATUS = AttributeKey.of("grpc status");

  private static final String TYPE = "application/grpc";

  private final ServiceTable table;
  private final CallSettings settings;
  private final boolean web;

  GrpcServices(Builder builder, @Nullable Server server) {
    table =
        new ServiceTable(
            builder.services,
            builder.interceptors,
            builder.fallback,
            builder.executor,
            builder.binaryLog);
    Server own = server == null ? new MountedServer(table) : server;
    settings =
        new CallSettings(
            own,
            CallSettings.context(Context.ROOT, own),
            builder.compressors,
            builder.decompressors,
            CallSettings.codings(CallSettings.IDENTITY, builder.decompressors),
            builder.messageBytesMax,
            new UnsentBytes(builder.unsentBytesMax, builder.allUnsentBytesMax),
            List.copyOf(builder.tracers),
            builder.executors);
    web = builder.web;
  }

  /** Returns services whose listeners are called on virtual threads, where they may block. */
  public static GrpcServices of(BindableService... services) {
    Builder builder = builder();
    for (BindableService service : services) {
      builder.add(service);
    }
    return builder.build();
  }

  /** Creates a builder without services. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns a handler of calls and of other requests, for one port: what has a Content-Type of gRPC
   * is a call, and also of gRPC-Web if that is served.
   */
  public Handler beside(Handler other) {
    Objects.requireNonNull(other, "other");
    return (request, response) -> {
      if (isGrpc(request) || (web && WebFormat.of(request) != null)) {
        handle(request, response);
      } else {
        other.handle(request, response);
      }
    };
  }

  /**
   * Adds a route for each method to others, so that metrics and the access log have its name as the
   * route.
   */
  public Routes.Builder addTo(Routes.Builder routes) {
    table.forEach(
        (path, entry) ->
            routes.post(
                path,
                (request, response) ->
                    handle(request, response, request.pathIs(path) ? entry : null)));
    return routes;
  }

  /** Returns true if the request's Content-Type is that of gRPC. */
  public static boolean isGrpc(Request request) {
    String type = request.header(KnownHeader.CONTENT_TYPE);
    if (type == null || !type.regionMatches(true, 0, TYPE, 0, TYPE.length())) {
      return false;
    }
    if (type.length() == TYPE.length()) {
      return true;
    }
    char next = type.charAt(TYPE.length());
    return next == '+' || next == ';';
  }

  ServiceTable table() {
    return table;
  }

  UnsentBytes unsent() {
    return settings.unsent();
  }

  /** Serves a call. A request that isn't one gets 415, 405 or 505. */
  @Override
  public void handle(Request request, Response response) {
    handle(request, response, null);
  }

  /** Serves a call of a method whose path the request has; null if that isn't known. */
  private void handle(Request request, Response response, ServiceTable.@Nullable Entry routed) {
    WebFormat format = web ? WebFormat.of(request) : null;
    if (format == null && !isGrpc(request)) {
      response.status(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
      refuse(response, Status.INTERNAL, "Content-Type is not " + TYPE);
    } else if (request.method() != HttpMethod.POST) {
      response.status(HttpStatus.METHOD_NOT_ALLOWED).header("Allow", "POST");
      refuse(response, Status.INTERNAL, "Method '" + request.methodName() + "' is not supported");
    } else if (format == null && request.version() != HttpVersion.HTTP_2) {
      response.status(HttpStatus.HTTP_VERSION_NOT_SUPPORTED);
      refuse(response, Status.INTERNAL, "gRPC requires HTTP/2");
    } else {
      call(request, response, format, routed);
    }
  }

  private static void refuse(Response response, Status status, String text) {
    response
        .contentType(ContentType.TEXT_PLAIN_UTF_8)
        .header(Fields.STATUS, Fields.text(status))
        .header(Fields.MESSAGE, Fields.escape(text));
    response.text(text);
  }

  private void call(
      Request request,
      Response response,
      @Nullable WebFormat format,
      ServiceTable.@Nullable Entry routed) {
    String authority = request.host();
    boolean isKnown = routed != null && request.query() == null;
    ServiceTable.Entry entry = isKnown ? routed : table.find(path(request), authority);
    ReceivedFields fields = new ReceivedFields(request);
    String encoding = fields.encoding();
    Decompressor decompressor =
        encoding == null
            ? Codec.Identity.NONE
            : settings.decompressors().lookupDecompressor(encoding);
    long timeoutNanos = fields.timeoutNanos();
    if (entry == null) {
      end(
          request,
          response,
          format,
          Status.UNIMPLEMENTED,
          "Method not found: " + path(request).substring(1));
    } else if (format == null && !fields.acceptsTrailers()) {
      end(request, response, null, Status.INTERNAL, "The request has no TE: trailers");
    } else if (decompressor == null) {
      response.header(Fields.ACCEPT_ENCODING, settings.acceptEncoding());
      String text = "Can't find decompressor for " + encoding;
      end(request, response, format, Status.UNIMPLEMENTED, text);
    } else if (timeoutNanos == CallTimeout.MALFORMED) {
      end(request, response, format, Status.INTERNAL, "Malformed " + Fields.TIMEOUT);
    } else if (fields.isMalformed()) {
      end(request, response, format, Status.INTERNAL, "Malformed binary metadata");
    } else {
      CallHead head =
          new CallHead(
              request,
              response.async(Duration.ZERO),
              fields,
              decompressor,
              timeoutNanos,
              authority,
              request.isSecure(),
              new CallAttributes(request),
              format);
      start(entry.method(), head, entry.executor());
    }
  }

  /** Returns the path with its query, because no method has one. */
  private static String path(Request request) {
    String query = request.query();
    return query == null ? request.path() : request.path() + '?' + query;
  }

  private <Q, R> void start(ServerMethodDefinition<Q, R> method, CallHead head, Executor executor) {
    new PeregrineCall<>(settings, method, head, executor).start();
  }

  /** Ends a call that isn't passed to the application. */
  private void end(
      Request request, Response response, @Nullable WebFormat format, Status status, String text) {
    Status described = status.withDescription(text);
    CallTracers tracers = settings.tracers().isEmpty() ? CallTracers.NONE : tracers(request);
    Context _ = tracers.filter(Context.ROOT); // each is notified of every call
    boolean ignored =
        new CallOutput(request, response, format, tracers, settings.unsent(), () -> {})
            .end(described, new Metadata());
    tracers.onClosed(described);
  }

  private CallTracers tracers(Request request) {
    Metadata metadata = new ReceivedFields(request).metadata();
    return CallTracers.create(settings.tracers(), path(request).substring(1), metadata);
  }

  /** Options of services. Used by one thread. */
  public static final class Builder {
    private static final int MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

    private final List<ServiceTable.Service> services = new ArrayList<>();
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private final List<ServerStreamTracer.Factory> tracers = new ArrayList<>();
    private Executor executor = VIRTUAL_THREADS;
    private @Nullable ServerCallExecutorSupplier executors;
    private @Nullable HandlerRegistry fallback;
    private @Nullable BinaryLog binaryLog;
    private CompressorRegistry compressors = CompressorRegistry.getDefaultInstance();
    private DecompressorRegistry decompressors = DecompressorRegistry.getDefaultInstance();
    private int messageBytesMax = MESSAGE_BYTES_MAX;
    private long unsentBytesMax = UnsentBytes.callMax(Runtime.getRuntime().maxMemory());
    private long allUnsentBytesMax = UnsentBytes.max(Runtime.getRuntime().maxMemory());
    private boolean web;

    Builder() {}

    /** Adds a service whose listeners are called on the {@link #executor}. */
    public Builder add(BindableService service) {
      return add(service.bindService());
    }

    /** Like {@link #add(BindableService)}, for a definition. */
    public Builder add(ServerServiceDefinition service) {
      services.add(new ServiceTable.Service(service, null));
      return this;
    }

    /**
     * Adds a service.
     *
     * @param own calls the listeners of this service; may be {@link #ON_LOOP} or {@link
     *     #VIRTUAL_THREADS}
     */
    public Builder add(BindableService service, Executor own) {
      return add(service.bindService(), own);
    }

    /** Like {@link #add(BindableService, Executor)}, for a definition. */
    public Builder add(ServerServiceDefinition service, Executor own) {
      services.add(new ServiceTable.Service(service, Objects.requireNonNull(own, "executor")));
      return this;
    }

    /**
     * Sets what calls the listeners of services without an executor of their own; {@link
     * #VIRTUAL_THREADS} by default.
     */
    public Builder executor(Executor ofServices) {
      executor = Objects.requireNonNull(ofServices, "executor");
      return this;
    }

    /**
     * Sets what chooses the executor of each call, on the event loop; where it returns null, the
     * service's is used.
     */
    public Builder callExecutor(ServerCallExecutorSupplier supplier) {
      executors = Objects.requireNonNull(supplier, "supplier");
      return this;
    }

    /** Adds an interceptor around all methods; the last one is called first. */
    public Builder intercept(ServerInterceptor interceptor) {
      interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
      return this;
    }

    /** Adds tracers, called on the event loop and on the threads that send messages. */
    public Builder addStreamTracerFactory(ServerStreamTracer.Factory factory) {
      tracers.add(Objects.requireNonNull(factory, "factory"));
      return this;
    }

    /** Sets where methods are found that no service has. Called on the event loop. */
    public Builder fallbackHandlerRegistry(@Nullable HandlerRegistry registry) {
      fallback = registry;
      return this;
    }

    /** Sets a log of messages and metadata, around all interceptors; null for none. */
    public Builder binaryLog(@Nullable BinaryLog log) {
      binaryLog = log;
      return this;
    }

    /** Sets the codings of messages to clients; gzip by default. */
    public Builder compressorRegistry(@Nullable CompressorRegistry registry) {
      compressors = registry == null ? CompressorRegistry.getDefaultInstance() : registry;
      return this;
    }

    /** Sets the codings of messages from clients; gzip by default. */
    public Builder decompressorRegistry(@Nullable DecompressorRegistry registry) {
      decompressors = registry == null ? DecompressorRegistry.getDefaultInstance() : registry;
      return this;
    }

    /**
     * Sets the largest message of a client, also when it is decompressed; 4 MiB by default. The
     * call of a larger one ends with RESOURCE_EXHAUSTED.
     *
     * @param bytes 0 or more
     */
    public Builder maxInboundMessageSize(int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("maxInboundMessageSize: " + bytes + " is negative");
      }
      messageBytesMax = bytes;
      return this;
    }

    /**
     * Bounds the memory of messages that clients don't take: those that were sent although {@code
     * isReady} was false, and those of more than 64 KiB. Sending never blocks: a call that sends
     * more ends with RESOURCE_EXHAUSTED, is cancelled for its service, and what has waited is
     * dropped. One message of any size may wait.
     *
     * @param ofCall bytes, 1 or more; a sixteenth of the largest heap by default
     * @param ofAllCalls bytes of all calls of these services, 1 or more; a quarter of the largest
     *     heap by default
     */
    public Builder maxUnsentBytes(long ofCall, long ofAllCalls) {
      if (ofCall < 1 || ofAllCalls < 1) {
        throw new IllegalArgumentException(
            "maxUnsentBytes: " + ofCall + " and " + ofAllCalls + ", 1 or more needed");
      }
      unsentBytesMax = ofCall;
      allUnsentBytesMax = ofAllCalls;
      return this;
    }

    /**
     * Serves gRPC-Web, too, for pages of browsers: Content-Type {@code application/grpc-web} and
     * {@code application/grpc-web-text}, over each version of HTTP. A page of another origin needs
     * {@code Cors} around the services. Browsers send all messages of a call before they receive
     * the first one. Over HTTP/1.1 the content of a call has the limits of other requests.
     */
    public Builder web() {
      web = true;
      return this;
    }

    /** Returns the services. Of those with the same name, it is the one that was added last. */
    public GrpcServices build() {
      return new GrpcServices(this, null);
    }

    GrpcServices build(Server server) {
      return new GrpcServices(this, server);
    }
  }
}
