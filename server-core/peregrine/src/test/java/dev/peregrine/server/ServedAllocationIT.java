package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.start.ScannerWarmUp;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The event loop allocates nothing while it serves a kept connection, over sockets: in the poller,
 * the connection, the parser, the exchange, the encoder and the queue.
 */
final class ServedAllocationIT {
  private static final int REQUESTS = 1_600;

  /** Compiling takes as long as the machine needs. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  /**
   * The JDK's linker slices the segment for errno in each call. C2 removes that object only where
   * it has inlined the call, which it sometimes hasn't when the code around was large.
   */
  private static final int SLICE_BYTES = 40;

  /**
   * {@code java.nio} links two objects, of 16 and 24 bytes, for each buffer of an arena that it
   * gathers: the block with the heads of a turn. A leased buffer costs none.
   */
  private static final int GATHERED_BLOCK_BYTES = 40;

  /** To receive, to send, and to wait. */
  private static final int SYSTEM_CALLS_OF_A_TURN = 3;

  private static final int COPIED_BYTES_MAX = 16 * 1024; // longer content is gathered

  private static final byte[] CONTENT = Requests.bytes("Hello, World!");

  private static final byte[] BROWSER =
      Requests.lines(
          "GET /catalogue/42?sort=price HTTP/1.1",
          "Host: www.example.org",
          "Connection: keep-alive",
          "Cache-Control: max-age=0",
          "sec-ch-ua: \"Chromium\";v=\"139\", \"Not;A=Brand\";v=\"99\"",
          "sec-ch-ua-mobile: ?0",
          "Upgrade-Insecure-Requests: 1",
          "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
          "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
          "Sec-Fetch-Site: none",
          "Sec-Fetch-Mode: navigate",
          "Accept-Encoding: gzip, deflate, br, zstd",
          "Accept-Language: en-US,en;q=0.9",
          "Cookie: session=0123456789abcdef; theme=dark",
          "If-None-Match: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"");

  @RegisterExtension final Servers servers = new Servers();

  private volatile @Nullable Thread loop;

  @ParameterizedTest
  @CsvSource({"SWAR, 1", "SWAR, 16", "VECTOR, 1", "VECTOR, 16"})
  void aShortResponseAllocatesNothing(ScannerKind scanner, int depth) {
    expectNoAllocation(
        scanner,
        depth,
        Requests.get("/plaintext"),
        (request, response) -> response.contentType(ContentType.TEXT_PLAIN).send(CONTENT));
  }

  @ParameterizedTest
  @CsvSource({"SWAR, 1", "SWAR, 16", "VECTOR, 1", "VECTOR, 16"})
  void lookingAtTheHeadOfABrowserAllocatesNothing(ScannerKind scanner, int depth) {
    expectNoAllocation(
        scanner,
        depth,
        BROWSER,
        (request, response) -> {
          boolean found =
              request.method() == HttpMethod.GET
                  && request.hasHeader(KnownHeader.COOKIE)
                  && request.hasHeader(KnownHeader.ACCEPT_ENCODING)
                  && request.header(KnownHeader.AUTHORIZATION) == null
                  && request.header(HeaderName.RANGE) == null
                  && request.header("X-Unknown") == null
                  && request.headers("X-Unknown").isEmpty()
                  && request.headerCount() == 14
                  && !request.pathIs("/other");
          respond(response, found);
        });
  }

  @ParameterizedTest
  @CsvSource({"100, 1", "100, 16", "20000, 1", "20000, 4", "60000, 1"})
  void aProgramThatSendsFromAPoolOfItsOwnAllocatesNothing(int bytes, int depth) {
    ArrayDeque<ByteBuffer> pool = new ArrayDeque<>();
    for (int i = 0; i < 4 * depth; i++) {
      pool.add(ByteBuffer.allocateDirect(bytes));
    }
    Consumer<ByteBuffer> giveBack = pool::add;
    expectNoAllocation(
        ScannerKind.SWAR,
        depth,
        Requests.get("/leased"),
        bytes,
        (request, response) -> response.send(pool.remove().clear(), giveBack));
  }

  /** Gets the vector scanner compiled as a server does before its loops use it. */
  private static boolean isWarm() {
    if (ScannerKind.vectorObjection() != null) {
      return false;
    }
    var faster = new AtomicBoolean();
    new ScannerWarmUp(
            new RequestParser(ParserLimits.DEFAULT, ScannerKind.VECTOR),
            new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR),
            () -> false,
            vector -> faster.set(true))
        .run();
    return faster.get();
  }

  private static void respond(Response response, boolean found) {
    response
        .status(found ? 200 : 500)
        .header(HeaderName.CACHE_CONTROL, "no-store")
        .header("X-Found", "yes") // as long as Upgrade, which the server searches for
        .send(CONTENT);
  }

  private void expectNoAllocation(ScannerKind scanner, int depth, byte[] request, Handler handler) {
    expectNoAllocation(scanner, depth, request, CONTENT.length, handler);
  }

  private void expectNoAllocation(
      ScannerKind scanner, int depth, byte[] request, int contentBytes, Handler handler) {
    assumeTrue(scanner != ScannerKind.VECTOR || isWarm(), "vectors are the faster here");
    HttpServer server =
        servers.start(
            (received, response) -> {
              loop = Thread.currentThread();
              handler.handle(received, response);
            },
            options -> options.scanner(scanner).loops(1));
    RawClient client = servers.connect(server);
    int responseBytes = readFirst(client.send(request), contentBytes);
    byte[] requests = Requests.join(Collections.nCopies(depth, request).toArray(byte[][]::new));
    Thread serving = Objects.requireNonNull(loop);
    long allowed =
        bytesOfTheLinker(REQUESTS / depth)
            + (contentBytes > COPIED_BYTES_MAX ? bytesOfGathering(REQUESTS) : 0);
    long start = System.nanoTime();
    long bytes;
    do {
      long before = Allocated.by(serving);
      for (int i = 0; i < REQUESTS; i += depth) {
        client.send(requests);
        client.readBytes(depth * responseBytes);
      }
      bytes = Allocated.by(serving) - before;
    } while (bytes > allowed && System.nanoTime() - start < PATIENCE_NANOS);
    assertThat(bytes)
        .as("bytes that the loop allocates for %s requests", REQUESTS)
        .isLessThanOrEqualTo(allowed);
  }

  /** Returns at most less than the smallest object for each of 16 pipelined requests. */
  private static long bytesOfTheLinker(int turns) {
    return Servers.TRANSPORT == TransportKind.EPOLL
        ? (long) turns * SYSTEM_CALLS_OF_A_TURN * SLICE_BYTES
        : 0;
  }

  private static long bytesOfGathering(int requests) {
    return Servers.TRANSPORT == TransportKind.NIO ? (long) requests * GATHERED_BLOCK_BYTES : 0;
  }

  /** Returns the length of the response, which is that of all others: Date has one length. */
  private static int readFirst(RawClient client, int contentBytes) {
    String head = client.readUntil("\r\n\r\n");
    assertThat(head).startsWith("HTTP/1.1 200 ");
    client.readBytes(contentBytes);
    return head.length() + contentBytes;
  }
}
