package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Servers;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Level;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** TLS by engines that the application creates, one for each connection. */
final class TlsSuppliedEnginesIT {
  private static final Handler FACTS =
      (request, response) -> {
        TlsInfo tls = Objects.requireNonNull(request.tls());
        String session = Objects.requireNonNull(tls.sslSession()).getProtocol();
        response.text(session + " " + tls.applicationProtocol());
      };
  private static final int TIMEOUT_MILLIS = 120_000;

  @RegisterExtension final Servers servers = new Servers();

  private final SSLContext context = context();

  private static SSLContext context() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "own",
          Certificates.LOCALHOST.key(),
          new char[0],
          Certificates.LOCALHOST.chain().toArray(Certificate[]::new));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, new char[0]);
      SSLContext created = SSLContext.getInstance("TLS");
      created.init(keys.getKeyManagers(), null, null);
      return created;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private HttpServer serve(Function<SocketAddress, @Nullable SSLEngine> source) {
    @SuppressWarnings("NullAway") // what a wrong program does
    Function<SocketAddress, SSLEngine> engines = source;
    return serve(Tls.builder().engines(engines).build());
  }

  private HttpServer serve(Tls tls) {
    return servers.watch(
        Peregrine.builder()
            .loops(1)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .with(tls)
            .handler(FACTS)
            .start());
  }

  private static SSLSocket connect(HttpServer server, Consumer<SSLParameters> changes)
      throws IOException {
    SSLSocket socket = (SSLSocket) Certificates.client().getSocketFactory().createSocket();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    SSLParameters parameters = socket.getSSLParameters();
    changes.accept(parameters);
    socket.setSSLParameters(parameters);
    socket.connect(server.address());
    return socket;
  }

  private static String get(SSLSocket socket) throws IOException {
    String request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    String response =
        new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  @Test
  void createsAnEngineForEachConnectionWithTheAddressOfItsClient() throws Exception {
    BlockingQueue<SocketAddress> clients = new LinkedBlockingQueue<>();
    HttpServer server =
        serve(
            client -> {
              clients.add(client);
              return context.createSSLEngine();
            });

    for (int i = 0; i < 3; i++) {
      try (SSLSocket socket = connect(server, parameters -> {})) {
        assertThat(get(socket)).isEqualTo("TLSv1.3 null");
        assertThat(clients.take()).isEqualTo(socket.getLocalSocketAddress());
      }
    }
    assertThat(clients).isEmpty();
  }

  @Test
  void offersTheProtocolsOfTheEndpointUnlessTheEngineHasItsOwn() throws Exception {
    HttpServer server = serve(client -> context.createSSLEngine());
    HttpServer own =
        serve(
            client -> {
              SSLEngine engine = context.createSSLEngine();
              SSLParameters parameters = engine.getSSLParameters();
              parameters.setApplicationProtocols(new String[] {"http/1.0"});
              engine.setSSLParameters(parameters);
              return engine;
            });
    Consumer<SSLParameters> offer =
        parameters -> parameters.setApplicationProtocols(new String[] {"http/1.1", "http/1.0"});

    try (SSLSocket socket = connect(server, offer);
        SSLSocket other = connect(own, offer)) {
      assertThat(get(socket)).isEqualTo("TLSv1.3 http/1.1");
      assertThat(get(other)).isEqualTo("TLSv1.3 http/1.0");
    }
  }

  @Test
  void dropsProtocolsThatTheEndpointDoesNotSpeak() throws Exception {
    Tls tls =
        Tls.builder()
            .http2(false)
            .engines(
                client -> {
                  SSLEngine engine = context.createSSLEngine();
                  SSLParameters parameters = engine.getSSLParameters();
                  parameters.setApplicationProtocols(new String[] {"h2", "spdy/1", "http/1.1"});
                  engine.setSSLParameters(parameters);
                  return engine;
                })
            .build();
    HttpServer server = serve(tls);

    try (SSLSocket socket =
        connect(
            server,
            parameters -> parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"}))) {
      assertThat(get(socket)).isEqualTo("TLSv1.3 http/1.1");
    }
  }

  @Test
  void leavesVersionsToTheEngine() throws Exception {
    HttpServer server =
        serve(
            client -> {
              SSLEngine engine = context.createSSLEngine();
              engine.setEnabledProtocols(new String[] {"TLSv1.2"});
              return engine;
            });

    try (SSLSocket socket = connect(server, parameters -> {});
        SSLSocket newer =
            connect(server, parameters -> parameters.setProtocols(new String[] {"TLSv1.3"}))) {
      assertThat(get(socket)).isEqualTo("TLSv1.2 null");
      assertThatThrownBy(newer::startHandshake).isInstanceOf(IOException.class);
    }
    servers.log().take(Level.INFO);
  }

  @Test
  void failsTheHandshakeIfTheApplicationDoes() throws Exception {
    BlockingQueue<Function<SocketAddress, @Nullable SSLEngine>> next = new LinkedBlockingQueue<>();
    HttpServer server = serve(client -> Objects.requireNonNull(next.poll()).apply(client));

    next.add(client -> null);
    next.add(
        client -> {
          throw new IllegalStateException("no key");
        });
    next.add(
        client -> {
          throw new StackOverflowError();
        });
    for (int i = 0; i < 3; i++) {
      try (SSLSocket socket = connect(server, parameters -> {})) {
        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
      }
    }
    next.add(client -> context.createSSLEngine());
    try (SSLSocket socket = connect(server, parameters -> {})) {
      assertThat(get(socket)).isEqualTo("TLSv1.3 null");
    }
    assertThat(servers.log().take(Level.INFO)).hasSizeGreaterThanOrEqualTo(1);
  }

  @Test
  void servesOthersWhileTheApplicationBlocks() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    HttpServer server =
        serve(
            client -> {
              if (blocked.getCount() > 0) {
                blocked.countDown();
                await(go);
              }
              return context.createSSLEngine();
            });

    try (SSLSocket first = connect(server, parameters -> {});
        SSLSocket second = connect(server, parameters -> {})) {
      Thread handshake =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      first.startHandshake();
                    } catch (IOException lost) {
                      // the read below reports it
                    }
                  });
      blocked.await();

      assertThat(get(second)).isEqualTo("TLSv1.3 null");
      go.countDown();
      handshake.join();
      assertThat(get(first)).isEqualTo("TLSv1.3 null");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void closesAConnectionThatEndsWhileTheApplicationBlocks() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    BlockingQueue<SocketAddress> clients = new LinkedBlockingQueue<>();
    HttpServer server =
        serve(
            client -> {
              clients.add(client);
              await(go);
              return context.createSSLEngine();
            });
    SSLSocket socket = connect(server, parameters -> {});
    Thread handshake =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    socket.startHandshake();
                  } catch (IOException closed) {
                    // as the test wants
                  }
                });
    clients.take();

    socket.close();
    handshake.join();
    go.countDown();
    // the extension checks that the connection and its memory are gone
    servers.log().take(Level.INFO);
  }

  @Test
  void rejectsOptionsThatWouldHaveNoEffect() {
    Tls.Builder builder = Tls.builder().engines(client -> context.createSSLEngine());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.context(context).build())
        .withMessageContaining("engines");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Tls.builder()
                    .engines(client -> context.createSSLEngine())
                    .versions("TLSv1.3")
                    .build());
    assertThat(Tls.builder().engines(client -> context.createSSLEngine()).build().reload())
        .isFalse();
  }
}
