package dev.peregrine.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The server that services find in the context of a call, where they list the others. It belongs to
 * an HTTP server, which alone can end it.
 */
final class MountedServer extends Server {
  private final ServiceTable table;

  MountedServer(ServiceTable table) {
    this.table = table;
  }

  @Override
  public List<ServerServiceDefinition> getServices() {
    List<ServerServiceDefinition> all = new ArrayList<>(table.services());
    all.addAll(table.fallbackServices());
    return List.copyOf(all);
  }

  @Override
  public List<ServerServiceDefinition> getImmutableServices() {
    return table.services();
  }

  @Override
  public List<ServerServiceDefinition> getMutableServices() {
    return table.fallbackServices();
  }

  @Override
  public Server start() {
    throw notHere();
  }

  @Override
  public Server shutdown() {
    throw notHere();
  }

  @Override
  public Server shutdownNow() {
    throw notHere();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    throw notHere();
  }

  @Override
  public void awaitTermination() {
    throw notHere();
  }

  private static UnsupportedOperationException notHere() {
    return new UnsupportedOperationException("these services are a handler of an HttpServer");
  }
}
