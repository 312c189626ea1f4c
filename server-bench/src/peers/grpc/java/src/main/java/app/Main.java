package app;

import com.linecorp.armeria.common.SerializationFormat;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.peregrine.Peregrine;
import dev.peregrine.grpc.GrpcServices;
import dev.peregrine.grpc.PeregrineServerBuilder;
import dev.peregrine.http.ContentType;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.tls.Tls;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.grpcio.server.GrpcIoServer;
import io.vertx.grpcio.server.GrpcIoServiceBridge;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** KIND PORT [CERTIFICATE KEY]: cleartext on PORT, with a certificate also TLS on PORT + 1. One event loop each. */
public final class Main {
  private static final byte[] HELLO = new byte[17];

  public static void main(String[] a) throws Exception {
    int port = Integer.parseInt(a[1]);
    File cert = a.length > 3 ? new File(a[2]) : null;
    File key = a.length > 3 ? new File(a[3]) : null;
    switch (a[0]) {
      case "peregrine" -> peregrine(port, cert, key, true);
      case "peregrine-virtual" -> peregrine(port, cert, key, false);
      case "plain" -> plain(port, cert, key);
      case "netty" -> netty(port, cert, key, true);
      case "netty-pool" -> netty(port, cert, key, false);
      case "armeria" -> armeria(port, cert, key);
      case "vertx" -> vertx(port, cert, key);
      default -> throw new IllegalArgumentException(a[0]);
    }
    com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    sun.misc.Signal.handle(new sun.misc.Signal("USR2"), signal -> System.out.println("allocated " + threads.getTotalThreadAllocatedBytes()));
    System.out.println("started " + a[0]);
    Thread.currentThread().join();
  }

  private static InetSocketAddress local(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  /** As io.grpc servers, one for each port. */
  private static void peregrine(int port, File cert, File key, boolean onLoop) throws Exception {
    for (int tls = 0; tls <= (cert == null ? 0 : 1); tls++) {
      PeregrineServerBuilder b = PeregrineServerBuilder.forAddress(local(port + tls)).addService(new EchoService());
      b.configure(http -> http.with(Epoll.create()).loops(1));
      if (onLoop) {
        b.directExecutor();
      }
      if (tls == 1) {
        b.useTransportSecurity(cert, key);
      }
      b.build().start();
    }
  }

  /** HTTP/2 without gRPC: a request with content, all of it read, and a response of the same length. */
  private static void plain(int port, File cert, File key) {
    var b = Peregrine.builder().loops(1).handler((request, response) ->
        request.body().receiveAll(64 * 1024, content -> response.contentType(ContentType.APPLICATION_OCTET_STREAM).send(HELLO)));
    b.endpoint(Endpoint.tcp("127.0.0.1", port).withHttp2Only());
    if (cert != null) {
      b.endpoint(Endpoint.tcp("127.0.0.1", port + 1).with(Tls.of(cert.toPath(), key.toPath())));
    }
    b.start();
  }

  private static void netty(int port, File cert, File key, boolean onLoop) throws Exception {
    for (int tls = 0; tls <= (cert == null ? 0 : 1); tls++) {
      NettyServerBuilder b = NettyServerBuilder.forAddress(local(port + tls)).addService(new EchoService());
      if (onLoop) {
        b.directExecutor();
      }
      if (tls == 1) {
        b.useTransportSecurity(cert, key);
      }
      b.build().start();
    }
  }

  private static void armeria(int port, File cert, File key) {
    var b = com.linecorp.armeria.server.Server.builder().http(local(port));
    if (cert != null) {
      b.https(local(port + 1)).tls(cert, key);
    }
    b.service(GrpcService.builder().addService(new EchoService()).build()).build().start().join();
  }

  private static void vertx(int port, File cert, File key) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    GrpcIoServer grpc = GrpcIoServer.server(vertx);
    GrpcIoServiceBridge.bridge(new EchoService()).bind(grpc);
    vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port)).requestHandler(grpc).listen().toCompletionStage().toCompletableFuture().get();
    if (cert != null) {
      vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port + 1).setSsl(true).setUseAlpn(true)
          .setKeyCertOptions(new PemKeyCertOptions().setCertPath(cert.getPath()).setKeyPath(key.getPath()))).requestHandler(grpc).listen().toCompletionStage().toCompletableFuture().get();
    }
  }
}
