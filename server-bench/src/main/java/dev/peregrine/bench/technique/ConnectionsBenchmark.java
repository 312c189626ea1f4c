package dev.peregrine.bench.technique;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a connection from connect to close, 32 at a time, client included. Servers have two
 * event loops.
 */
@Fork(
    jvmArgsPrepend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
      "-Dio.netty.noUnsafe=false",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dio.netty.buffer.checkBounds=false",
      "-Dio.netty.buffer.checkAccessible=false",
      "-Dio.netty.leakDetection.level=disabled"
    })
@Warmup(iterations = 15) // so that a whole server is compiled
public class ConnectionsBenchmark extends Technique {
  private static final String CONTENT = "Hello, World!";
  private static final int LOOPS = 2;
  private static final int AT_A_TIME = 32;
  private static final String RESPONSE =
      """
      http/1.1 200 ok\r
      server: peregrine\r
      date: \r
      content-type: text/plain; charset=utf-8\r
      content-length: 13\r
      \r
      """;

  /** The servers. */
  public enum Kind {
    /** Netty on {@code java.nio}, without its checks: one loop accepts for both. */
    NETTY,
    /** The same on Netty's epoll. */
    NETTY_EPOLL,
    /** Peregrine on {@code java.nio}: one loop accepts for both. */
    NIO,
    /** The same, and each loop accepts for itself. */
    NIO_REUSE_PORT,
    /** Peregrine on epoll: one loop accepts for both. */
    EPOLL,
    /** The same, and each loop accepts for itself. */
    EPOLL_REUSE_PORT
  }

  @Param Kind form;

  /** Requests of a connection, one after another. */
  @Param({"1", "10"})
  int requests;

  private @Nullable HttpServer server;
  private @Nullable NettyHello netty;
  private Connections client;

  /** Starts the server and checks its responses. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    client = new Connections(start(), AT_A_TIME);
    String answer = client.learn(CONTENT);
    String comparable =
        answer.toLowerCase(Locale.ROOT).replaceFirst("date: [^\r]{29}\r", "date: \r");
    check(comparable.equals(RESPONSE + CONTENT.toLowerCase(Locale.ROOT)), answer);
    checkEqual((long) AT_A_TIME * requests, connections());
    SettledServer.settle(this::connections);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() {
    if (server != null) {
      server.close();
    }
    if (netty != null) {
      netty.close();
    }
  }

  /** Opens the connections, exchanges, closes. */
  @Benchmark
  @OperationsPerInvocation(AT_A_TIME)
  public int connections() throws IOException {
    int responses = 0;
    client.open();
    for (int i = 0; i < requests; i++) {
      responses += client.exchange();
    }
    client.close();
    return responses;
  }

  private int start() {
    if (form == Kind.NETTY || form == Kind.NETTY_EPOLL) {
      netty = new NettyHello(form == Kind.NETTY_EPOLL, LOOPS, CONTENT);
      return netty.start();
    }
    boolean nio = form == Kind.NIO || form == Kind.NIO_REUSE_PORT;
    server =
        SettledServer.start(
            options ->
                options
                    .host("0.0.0.0")
                    .loops(LOOPS)
                    .transport(nio ? TransportKind.NIO : TransportKind.EPOLL)
                    .reusePort(form == Kind.NIO_REUSE_PORT || form == Kind.EPOLL_REUSE_PORT)
                    .handler((request, response) -> response.text(CONTENT)));
    return server.port();
  }
}
