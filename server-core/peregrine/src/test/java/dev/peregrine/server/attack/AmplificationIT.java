package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows T25, T36 and T37, and ranges: few bytes that request much work or content. */
final class AmplificationIT {
  private static final int FILE_BYTES = 8 * 1024 * 1024;
  private static final int CLIENTS = 20;
  private static final int MEGABYTE = 1_000_000;

  /** The largest part of an unread response that a connection may hold. */
  private static final int CONNECTION_BYTES_MAX = 4 * 64 * 1024;

  /** Head, boundary, type and position of each of at most 32 parts. */
  private static final int FRAMING_BYTES_MAX = 32 * 256;

  @TempDir private Path dir;
  private final AtomicReference<Victim> started = new AtomicReference<>();

  private Victim start(Handler handler) {
    Victim victim = Victim.start(Servers.LIMITS, handler);
    started.set(victim);
    return victim;
  }

  @AfterEach
  void isUnharmed() {
    Victim victim = started.get();
    victim.assertUnharmed();
    victim.close();
  }

  private static RawResponse ask(Victim victim, String... lines) {
    try (RawClient client = victim.connect()) {
      return client.send(Requests.lines(lines)).read();
    }
  }

  // ---- content ----

  @Test
  void holdsLittleOfUnreadContentInTinyChunks() {
    AtomicReference<InputStream> stream = new AtomicReference<>();
    CountDownLatch go = new CountDownLatch(1);
    Victim victim =
        start(
            Handlers.blocking(
                (request, response) -> {
                  try (InputStream in = request.body().inputStream()) {
                    stream.set(in);
                    go.await();
                    response.text(in.readAllBytes().length + " bytes read");
                  }
                }));
    byte[] content = Requests.content(10_000);
    try (RawClient client = victim.connect()) {
      client.send(Requests.chunkedHead("/"));
      Await.until("the handler waits", () -> stream.get() != null);
      client.send(Requests.chunks(content, 1, Map.of()));
      Await.until("all content waits", () -> available(stream.get()) == content.length);
      victim.settle();

      // the pieces share blocks, beside the 64 KiB of the connection's own block
      assertThat(victim.extraBytes()).isLessThan(96 * 1024);
      go.countDown();
      assertThat(client.read().text()).isEqualTo("10000 bytes read");
    }
  }

  private static int available(InputStream stream) {
    try {
      return stream.available();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A member without content is 20 bytes long and has to be decoded like any other. */
  @Test
  void decodesManyMembersThatAreEmpty() throws IOException {
    Victim victim = start(Decompression.of(AmplificationIT::count));
    byte[] member = gzip(new byte[0]);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int i = 0; i < 20_000; i++) {
      content.writeBytes(member);
    }
    content.writeBytes(gzip(Requests.bytes("end")));
    try (RawClient client = victim.connect()) {
      client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: "
              + content.size()
              + "\r\n\r\n");
      client.send(content.toByteArray());

      assertThat(client.read().text()).isEqualTo("3");
    }
  }

  /** Row T36: many bombs at a time, each as large as is allowed. No decoded content is kept. */
  @Test
  void decodesBombsPieceByPiece() throws IOException {
    Victim victim = start(Decompression.of(AmplificationIT::count));
    byte[] bomb = gzip(new byte[40_000_000]);
    for (int i = 0; i < CLIENTS; i++) {
      try (RawClient client = victim.connect()) {
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: "
                + bomb.length
                + "\r\n\r\n");
        client.sendWhileOpen(bomb);
        assertThat(client.read().status()).isEqualTo(413);
      }
    }
  }

  private static void count(Request request, Response response) {
    AtomicLong bytes = new AtomicLong();
    request
        .body()
        .receive(
            Listeners.of(
                data -> bytes.addAndGet(data.length()), () -> response.text(bytes.toString())));
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(plain);
    }
    return coded.toByteArray();
  }

  /** Few codecs limit the depth, but the stack does. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rejectsJsonThatIsNestedTooDeeply(boolean blocking) {
    Handler reader =
        blocking
            ? Handlers.blocking(
                (request, response) ->
                    response.text(request.readJson(MEGABYTE, Integer.class).toString()))
            : (request, response) ->
                request.receiveJson(
                    MEGABYTE, Integer.class, depth -> response.text(depth.toString()));
    Victim victim = start(reader);

    assertThat(postJson(victim, "[[[]]]").text()).isEqualTo("3");
    assertThat(postJson(victim, "[".repeat(MEGABYTE)).status()).isEqualTo(400);
  }

  private static RawResponse postJson(Victim victim, String json) {
    try (RawClient client = victim.connect()) {
      client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
              + json.length()
              + "\r\n\r\n");
      return client.send(json).read();
    }
  }

  // ---- negotiation ----

  /** Row T25. */
  @ParameterizedTest
  @ValueSource(
      strings = {"gzip;q=0.001,", ",", ";", "a;b;c;d;q=1,", "\"", "\\\",", "*;q=0,", "q=;q=;q=,"})
  void readsEveryElementOfAWeightedFieldOnce(String element) throws IOException {
    Files.writeString(dir.resolve("a.txt"), "content");
    Files.writeString(dir.resolve("a.txt.gz"), "coded");
    Victim victim = start(Compression.of(StaticFiles.of(dir)));
    String field = element.repeat(30_000 / element.length());

    for (int i = 0; i < 2; i++) {
      RawResponse response =
          ask(victim, "GET /a.txt HTTP/1.1", "Host: a", "Accept-Encoding: " + field);
      assertThat(response.status()).isEqualTo(200);
    }
  }

  // ---- files ----

  private Victim startFiles() throws IOException {
    Files.write(dir.resolve("large.bin"), Requests.content(FILE_BYTES));
    try (RandomAccessFile larger = new RandomAccessFile(dir.resolve("larger.bin").toFile(), "rw")) {
      larger.setLength(SystemBuffers.MORE_BYTES); // which the system doesn't take at once
    }
    return start(StaticFiles.of(dir));
  }

  private static String ranges(int count, String each) {
    return IntStream.range(0, count)
        .mapToObj(i -> String.format(each, i))
        .collect(Collectors.joining(",", "bytes=", ""));
  }

  @Test
  void sendsNoByteTwiceForAnyRanges() throws IOException {
    Victim victim = startFiles();
    for (String range :
        List.of(
            ranges(32, "%d-"),
            ranges(32, "0-%d"),
            ranges(32, "-%d9999999"),
            ranges(32, "0-"),
            ranges(32, "%1$d00-%1$d00"),
            ranges(33, "0-"),
            ranges(4000, "%d-"),
            "bytes=" + ",".repeat(30_000) + "0-0")) {
      RawResponse response = ask(victim, "GET /large.bin HTTP/1.1", "Host: a", "Range: " + range);
      assertThat(response.status()).as(range).isIn(200, 206);
      assertThat(response.content().length)
          .as(range)
          .isLessThanOrEqualTo(FILE_BYTES + FRAMING_BYTES_MAX);
    }
  }

  @Test
  void holdsNoMemoryForAFileThatIsNotTaken() throws IOException {
    Victim victim = startFiles();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(victim.connect(4096).get("/larger.bin"));
    }
    for (RawClient client : clients) {
      client.readUntil("200"); // so that it is answered
    }
    victim.settle();

    assertThat(victim.extraBytes()).isLessThan((long) CLIENTS * 4 * 1024);
    clients.forEach(RawClient::reset);
  }

  @Test
  void holdsNothingForFilesThatAreNotTaken() throws IOException {
    Victim victim = startFiles();
    String parts =
        IntStream.range(0, 32)
            .mapToObj(i -> i * 2_000_000 + "-" + (i * 2_000_000 + 1_900_000))
            .collect(Collectors.joining(",", "bytes=", ""));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RawClient client = victim.connect(4096);
      clients.add(client);
      client.send(Requests.lines("GET /larger.bin HTTP/1.1", "Host: a", "Range: " + parts));
    }
    for (RawClient client : clients) {
      client.readUntil("206"); // so that it is answered
    }
    victim.settle();

    assertThat(victim.extraBytes()).isLessThan((long) CLIENTS * CONNECTION_BYTES_MAX);
    if (Descriptors.areVisible()) {
      // of a response, not of a part; java.nio sends by a channel with a descriptor of its own
      assertThat(Descriptors.ofFilesIn(dir)).hasSizeLessThanOrEqualTo(2 * CLIENTS);
    }
    clients.forEach(RawClient::reset);
    if (Descriptors.areVisible()) {
      Await.until(
          () -> "open: " + Descriptors.ofFilesIn(dir), () -> Descriptors.ofFilesIn(dir).isEmpty());
    }
  }

  @Test
  void callsTheSystemOnceForAPathOfManyNames() throws IOException {
    Victim victim = startFiles();
    for (String path : List.of("/a".repeat(4000), "/%61".repeat(2000), "/" + "a".repeat(8000))) {
      assertThat(ask(victim, "GET " + path + " HTTP/1.1", "Host: a").status()).isEqualTo(404);
    }
  }
}
