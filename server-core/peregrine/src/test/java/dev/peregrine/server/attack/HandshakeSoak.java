package dev.peregrine.server.attack;

import dev.peregrine.Peregrine;
import dev.peregrine.openssl.OpenSslContext;
import dev.peregrine.openssl.OpenSslSession;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeSocket;
import dev.peregrine.testing.HandshakeSocket.End;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Many handshakes with one engine: full and resumed ones, of both versions, cut at any byte. Prints
 * what the process holds after each twentieth of them; exits with 1 if a handshake failed that must
 * not, or if the process holds more at the end. The clients are in the same process.
 *
 * <pre>
 * ./mvnw -Psoak -pl server-core/peregrine -am -Dsoak=HandshakeSoak -Dengine=OPENSSL -Dhandshakes=2000000
 * </pre>
 */
final class HandshakeSoak {
  private static final int CLIENTS = 4;
  private static final int REPORTS = 20;
  private static final int CUT_BYTES_MAX = 1500; // of a client's handshake and request
  private static final int SESSIONS_MAX = 100; // that a client keeps
  private static final int RESTED_REPORT = 2; // when all code is compiled
  private static final long HEAP_GROWTH_BYTES_MAX = 16 << 20;
  private static final long RESIDENT_GROWTH_BYTES_MAX = 32 << 20;
  private static final List<End> ENDS = List.of(End.values());
  private static final byte[] REQUEST =
      Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

  private final TlsEngineKind engine;
  private final long handshakes;
  private final HttpServer server;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong full = new AtomicLong();
  private final AtomicLong resumed = new AtomicLong();
  private final AtomicLong cut = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();

  /** The memory of the process, with no connection open. */
  private record Figures(long heapBytes, long residentBytes) {}

  private HandshakeSoak(TlsEngineKind engine, long handshakes) throws IOException {
    this.engine = engine;
    this.handshakes = handshakes;
    Path folder = Files.createTempDirectory("soak");
    Tls tls =
        Tls.builder()
            .engine(engine)
            .certificate(
                Certificates.writeChain(folder.resolve("chain.pem"), Certificates.LOCALHOST),
                Certificates.writeKey(folder.resolve("key.pem"), Certificates.LOCALHOST))
            .build();
    server =
        Peregrine.builder()
            .loops(1)
            .transport(TransportKind.AUTO)
            .limits(Servers.LIMITS)
            .with(tls)
            .handler(
                (request, response) -> {
                  TlsInfo info = Objects.requireNonNull(request.tls());
                  response.text(info.isResumed() ? "resumed" : "full");
                })
            .start();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    // The first argument is the time of the other soak.
    HandshakeSoak soak = new HandshakeSoak(TlsEngineKind.valueOf(args[1]), Long.parseLong(args[2]));
    System.exit(soak.run() ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Figures rested = new Figures(0, 0);
    Figures last = rested;
    for (int report = 1; report <= REPORTS; report++) {
      long until = handshakes * report / REPORTS;
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofPlatform().start(() -> client(until)));
      }
      for (Thread client : clients) {
        client.join();
      }
      last = rest(start);
      rested = report <= RESTED_REPORT ? last : rested;
    }
    server.close();
    System.out.printf("after the close: %d SSL, %d SSL_CTX%n", OpenSslSession.live(), contexts());
    return errors.get() == 0
        && OpenSslSession.live() + contexts() == 0
        && last.heapBytes - rested.heapBytes < HEAP_GROWTH_BYTES_MAX
        && last.residentBytes - rested.residentBytes < RESIDENT_GROWTH_BYTES_MAX;
  }

  private static long contexts() {
    return OpenSslContext.live();
  }

  /** Waits until no connection is open, and prints the figures. */
  private Figures rest(long start) throws IOException {
    Await.until("all connections have ended", () -> server.connectionCount() == 0);
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Figures figures = new Figures(heap, Soak.residentBytes());
    System.out.printf(
        "%s %4d s: %,d handshakes (%,d full, %,d resumed, %,d cut), %d errors; heap %,d KiB,"
            + " resident %,d KiB, buffers in use %,d KiB, sockets %d, %d SSL, %d SSL_CTX%n",
        engine,
        (System.nanoTime() - start) / 1_000_000_000,
        begun.get(),
        full.get(),
        resumed.get(),
        cut.get(),
        errors.get(),
        figures.heapBytes >> 10,
        figures.residentBytes >> 10,
        server.bufferBytesInUse() >> 10,
        Victim.sockets(),
        OpenSslSession.live(),
        contexts());
    return figures;
  }

  private void client(long until) {
    SSLContext context = Certificates.client(null);
    context.getClientSessionContext().setSessionCacheSize(SESSIONS_MAX);
    for (long i = begun.getAndIncrement(); i < until; i = begun.getAndIncrement()) {
      handshake(context, new SplittableRandom(i), i);
    }
    begun.getAndDecrement();
  }

  private void handshake(SSLContext context, SplittableRandom random, long number) {
    boolean isCut = random.nextInt(3) == 0;
    boolean resumes = random.nextBoolean();
    int bytes = isCut ? 1 + random.nextInt(CUT_BYTES_MAX) : Integer.MAX_VALUE;
    End end = ENDS.get(random.nextInt(ENDS.size()));
    String session = resumes ? "again" : "new-" + number; // sessions are kept by this name
    try (HandshakeSocket socket = HandshakeSocket.cutAfter(server.address(), bytes, end);
        SSLSocket secured =
            (SSLSocket)
                context.getSocketFactory().createSocket(socket, session, server.port(), true)) {
      secured.setEnabledProtocols(new String[] {random.nextBoolean() ? "TLSv1.3" : "TLSv1.2"});
      secured.getOutputStream().write(REQUEST);
      byte[] response = secured.getInputStream().readAllBytes();
      count(new String(response, StandardCharsets.US_ASCII), isCut);
    } catch (IOException failed) {
      if (isCut) {
        cut.incrementAndGet();
      } else {
        error(failed.toString());
      }
    }
  }

  private void count(String response, boolean isCut) {
    if (response.endsWith("\r\n\r\nresumed")) {
      resumed.incrementAndGet();
    } else if (response.endsWith("\r\n\r\nfull")) {
      full.incrementAndGet();
    } else if (isCut) {
      cut.incrementAndGet();
    } else {
      error("a response that isn't complete: " + response);
    }
  }

  private void error(String text) {
    if (errors.incrementAndGet() <= REPORTS) {
      System.out.println(text);
    }
  }
}
