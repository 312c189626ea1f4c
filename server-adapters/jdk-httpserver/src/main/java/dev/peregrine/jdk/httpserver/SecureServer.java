package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A server with TLS. Thread-safe. */
final class SecureServer extends HttpsServer {
  private final EngineSource engines = new EngineSource();
  private final ServerCore core = new ServerCore(this, engines);

  @Override
  public void bind(InetSocketAddress address, int backlog) throws IOException {
    core.bind(address, backlog);
  }

  @Override
  public void start() {
    core.start();
  }

  @Override
  public void setExecutor(@Nullable Executor executor) {
    core.setExecutor(executor);
  }

  @Override
  public @Nullable Executor getExecutor() {
    return core.executor();
  }

  @Override
  public void stop(int delay) {
    core.stop(delay);
  }

  @Override
  public HttpContext createContext(String path, HttpHandler handler) {
    return core.createContext(path, handler);
  }

  @Override
  public HttpContext createContext(String path) {
    return core.createContext(path);
  }

  @Override
  public void removeContext(String path) {
    core.contexts.remove(path);
  }

  @Override
  public void removeContext(HttpContext context) {
    core.contexts.remove(context);
  }

  @Override
  public @Nullable InetSocketAddress getAddress() {
    return core.address();
  }

  @Override
  public void setHttpsConfigurator(HttpsConfigurator configurator) {
    core.requireNotStarted();
    engines.configure(configurator);
  }

  @Override
  public @Nullable HttpsConfigurator getHttpsConfigurator() {
    return engines.configurator();
  }
}
