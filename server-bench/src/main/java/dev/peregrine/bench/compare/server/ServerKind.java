package dev.peregrine.bench.compare.server;

import dev.peregrine.server.TransportKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;

/** The servers that can be compared. */
public enum ServerKind {
  PEREGRINE("Peregrine", "peregrine", "one event loop, transport by itself: epoll on Linux"),
  PEREGRINE_NIO("Peregrine on NIO", "peregrine", "one event loop on java.nio, like the others"),
  NETTY("Netty", "netty", "HTTP codec on one event loop, java.nio"),
  NETTY_EPOLL("Netty on epoll", "netty", "HTTP codec on one event loop, its native epoll"),
  VERTX("Vert.x", "vertx", "one event loop (Netty, java.nio)"),
  UNDERTOW("Undertow", "undertow", "handlers on the one I/O thread"),
  JETTY("Jetty", "jetty", "non-blocking core handlers, one selector"),
  HELIDON("Helidon", "helidon", "a virtual thread per connection");

  private final String title;
  private final String product;
  private final String setUp;

  ServerKind(String title, String product, String setUp) {
    this.title = title;
    this.product = product;
    this.setUp = setUp;
  }

  /**
   * Returns the kind with that {@link #id}.
   *
   * @throws IllegalArgumentException if no server has it; the message lists the names
   */
  public static ServerKind named(String id) {
    for (ServerKind kind : values()) {
      if (kind.id().equals(id)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "no server is called "
            + id
            + "; there are "
            + String.join(", ", Arrays.stream(values()).map(ServerKind::id).toList()));
  }

  /** Returns the name on command lines. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the name in reports. */
  public String title() {
    return title;
  }

  /** Returns its settings in a few words. */
  public String setUp() {
    return setUp;
  }

  /** Returns the flags of its VM, without those that all servers have. */
  public List<String> flags() {
    return switch (this) {
      case PEREGRINE, PEREGRINE_NIO -> PeregrineServer.FLAGS;
      case NETTY, NETTY_EPOLL -> NettyServer.FLAGS;
      case VERTX -> VertxServer.FLAGS;
      case UNDERTOW, JETTY, HELIDON -> List.of();
    };
  }

  /** Returns true if it runs on this system. */
  public boolean isAvailable() {
    return this != NETTY_EPOLL
        || (System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"));
  }

  /** Returns true for the server that the others are compared with. */
  public boolean isOurs() {
    return product.equals(PEREGRINE.product);
  }

  /** Returns the version that this program was built with. */
  public String version() {
    Properties versions = new Properties();
    try (InputStream in = ServerKind.class.getResourceAsStream("versions.properties")) {
      versions.load(Objects.requireNonNull(in, "versions.properties"));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return versions.getProperty(product, "unknown");
  }

  ComparedServer create() {
    return switch (this) {
      case PEREGRINE -> new PeregrineServer(TransportKind.AUTO);
      case PEREGRINE_NIO -> new PeregrineServer(TransportKind.NIO);
      case NETTY -> NettyServer.onNio();
      case NETTY_EPOLL -> NettyServer.onEpoll();
      case VERTX -> new VertxServer();
      case UNDERTOW -> new UndertowServer();
      case JETTY -> new JettyServer();
      case HELIDON -> new HelidonServer();
    };
  }
}
