package dev.peregrine.grpc;

import io.grpc.BinaryLog;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The methods of services by their paths, with interceptors around them. Of services with the same
 * name it is the last one, as grpc-java has it. Immutable.
 */
final class ServiceTable {
  /** A method, and where its listeners are called. */
  record Entry(ServerMethodDefinition<?, ?> method, Executor executor) {}

  /** A service, and where its listeners are called; null for the default. */
  record Service(ServerServiceDefinition definition, @Nullable Executor executor) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<ServerServiceDefinition> services = new ArrayList<>();
  private final List<ServerInterceptor> interceptors;
  private final @Nullable HandlerRegistry fallback;
  private final Executor fallbackExecutor;
  private final @Nullable BinaryLog log;

  ServiceTable(
      List<Service> added,
      List<ServerInterceptor> interceptors,
      @Nullable HandlerRegistry fallback,
      Executor fallbackExecutor,
      @Nullable BinaryLog log) {
    this.log = log;
    this.interceptors = List.copyOf(interceptors);
    this.fallback = fallback;
    this.fallbackExecutor = fallbackExecutor;
    Map<String, Service> last = new LinkedHashMap<>();
    for (Service service : added) {
      last.put(service.definition().getServiceDescriptor().getName(), service);
    }
    for (Service service : last.values()) {
      services.add(service.definition());
      Executor executor = service.executor() == null ? fallbackExecutor : service.executor();
      for (ServerMethodDefinition<?, ?> method : service.definition().getMethods()) {
        String name = method.getMethodDescriptor().getFullMethodName();
        entries.put('/' + name, new Entry(intercept(method), executor));
      }
    }
  }

  /** Returns the method of a path; null if there is none. */
  @Nullable Entry find(String path, @Nullable String authority) {
    Entry known = entries.get(path);
    if (known != null || fallback == null) {
      return known;
    }
    ServerMethodDefinition<?, ?> method = fallback.lookupMethod(path.substring(1), authority);
    return method == null ? null : new Entry(intercept(method), fallbackExecutor);
  }

  void forEach(BiConsumer<String, Entry> action) {
    entries.forEach(action);
  }

  List<ServerServiceDefinition> services() {
    return List.copyOf(services);
  }

  List<ServerServiceDefinition> fallbackServices() {
    return fallback == null ? List.of() : List.copyOf(fallback.getServices());
  }

  /** Returns a method with the interceptors around it, and the log around these. */
  private <Q, R> ServerMethodDefinition<?, ?> intercept(ServerMethodDefinition<Q, R> method) {
    ServerCallHandler<Q, R> handler = method.getServerCallHandler();
    for (ServerInterceptor interceptor : interceptors) {
      handler = new Intercepted<>(interceptor, handler);
    }
    ServerMethodDefinition<Q, R> intercepted = method.withServerCallHandler(handler);
    return log == null ? intercepted : log.wrapMethodDefinition(intercepted);
  }

  /** A handler inside an interceptor. */
  private record Intercepted<Q, R>(ServerInterceptor interceptor, ServerCallHandler<Q, R> inside)
      implements ServerCallHandler<Q, R> {
    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
      return interceptor.interceptCall(call, headers, inside);
    }
  }
}
