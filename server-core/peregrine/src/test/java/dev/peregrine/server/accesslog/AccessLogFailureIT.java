package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedDisk;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that can't be written, and disks that block: requests are answered all the same. */
@SuppressWarnings("try") // logs that are closed within a test
final class AccessLogFailureIT {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String FULL = "No space left on device";

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;

  private Path file() {
    return dir.resolve("access.log");
  }

  /** Options of a log whose close waits for the disk as long as a slow machine takes. */
  private static AccessLog.Builder builder(Path file) {
    return AccessLog.builder(file).closeTime(Duration.ofMinutes(2));
  }

  private HttpServer serve(AccessLog log) {
    return servers.start(
        (request, response) -> response.send(), options -> options.exchangeListener(log).loops(1));
  }

  private List<String> messages() {
    return servers.log().take(Level.WARNING).stream().map(LogRecord::getMessage).toList();
  }

  private static void send(RawClient client, int requests) {
    for (int i = 0; i < requests; i++) {
      assertThat(client.send(Requests.get("/number/" + i)).read().status()).isEqualTo(200);
    }
  }

  @EnabledOnOs(OS.LINUX)
  @Test
  void answersRequestsWhileTheDiskIsFull() {
    try (AccessLog log = builder(Path.of("/dev/full")).build()) {
      HttpServer server = serve(log);
      send(servers.connect(server), 10);
      Await.until("the failure is counted", () -> log.fileFailures() > 0);
      servers.log().expectOne(Level.WARNING, "access log /dev/full can't be written");
      send(servers.connect(server), 10);
      assertThat(log.droppedLines()).isZero();
      server.close();
      log.close();

      assertThat(log.droppedLines()).isEqualTo(20);
      servers
          .log()
          .expectOne(Level.WARNING, "was closed; lines missing: 20, among them the last 20");
    }
  }

  @Test
  void writesWhatHasWaitedForTheDirectory() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("logs"));
    Path file = folder.resolve("access.log");
    try (AccessLog log = builder(file).build()) {
      HttpServer server = serve(log);
      Files.move(folder, dir.resolve("gone"));
      send(servers.connect(server), 3);
      Await.until("the failure is counted", () -> log.fileFailures() > 0);
      servers.log().expectOne(Level.WARNING, "NoSuchFileException");
      send(servers.connect(server), 3);
      Files.createDirectory(folder);
      Await.until("the file is there again", () -> Files.exists(file));

      assertThat(LogLines.await(file, 6)).hasSize(6);
      assertThat(log.droppedLines()).isZero();
    }
  }

  @Test
  void writesWhatHasWaitedForThePermission() throws Exception {
    AtomicBoolean denied = new AtomicBoolean();
    LogFile.Opener opener =
        path -> {
          if (denied.get()) {
            throw new AccessDeniedException(path.toString());
          }
          return LogFile.APPENDING.open(path);
        };
    try (AccessLog log = builder(file()).opener(opener).build()) {
      HttpServer server = serve(log);
      denied.set(true);
      log.reopen();
      send(servers.connect(server), 3);
      Await.until("the failure is counted", () -> log.fileFailures() > 0);
      servers.log().expectOne(Level.WARNING, "AccessDeniedException");
      denied.set(false);

      assertThat(LogLines.await(file(), 3)).hasSize(3);
      assertThat(log.droppedLines()).isZero();
    }
  }

  @Test
  void saysHowManyLinesAreMissingWhenItIsWrittenAgainAndAtItsEnd() {
    AtomicBoolean full = new AtomicBoolean(true);
    ScriptedDisk disk = new ScriptedDisk(Integer.MAX_VALUE);
    LogFile.Opener opener = path -> new FullChannel(disk, full);
    AccessLog log = builder(file()).bufferBytesMax(BUFFER_BYTES).opener(opener).build();
    EndCount ended = new EndCount(); // the last exchange may end after its bytes
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            options -> options.exchangeListener(log).exchangeListener(ended).loops(1));
    RawClient client = servers.connect(server);
    int sent = 0;
    while (log.droppedLines() < 10) {
      send(client, 100);
      sent += 100;
    }
    ended.await(sent);
    List<String> reported = new ArrayList<>();
    Await.until(
        "both are reported",
        () -> {
          reported.addAll(messages());
          return reported.size() >= 2;
        });
    assertThat(reported).anyMatch(text -> text.contains(FULL));
    long missing = log.droppedLines();
    full.set(false);

    servers.log().expectOne(Level.WARNING, "is written again; lines missing: " + missing);
    server.close();
    log.close();
    servers
        .log()
        .expectOne(
            Level.WARNING, "was closed; lines missing: " + missing + ", among them the last 0");
  }

  @Test
  void dropsAndCountsLinesWhileTheDiskBlocks() throws Exception {
    BlockingChannel disk = new BlockingChannel();
    try (AccessLog log =
        builder(file()).bufferBytesMax(BUFFER_BYTES).opener(path -> disk).build()) {
      HttpServer server = serve(log);
      RawClient client = servers.connect(server);
      send(client, 1);
      disk.blocked.await();
      int sent = 1;
      while (log.droppedLines() < 10) {
        send(client, 100);
        sent += 100;
      }
      servers.log().expectOne(Level.WARNING, "bufferBytesMax (65536 bytes for each event loop)");
      disk.released.countDown();
      server.close();
      log.close();

      assertThat(disk.lines + log.droppedLines()).isEqualTo(sent);
      servers.log().expectOne(Level.WARNING, "among them the last 0");
      assertThat(disk.bytes).isBetween(BUFFER_BYTES - 100L, BUFFER_BYTES + 200L);
    }
  }

  @Test
  void countsTheLinesOfSeveralLoops() throws Exception {
    BlockingChannel disk = new BlockingChannel();
    try (AccessLog log =
        builder(file()).bufferBytesMax(BUFFER_BYTES).opener(path -> disk).build()) {
      HttpServer server =
          servers.start(
              (request, response) -> response.send(), options -> options.exchangeListener(log));
      LoadedClients clients = new LoadedClients(servers, server, 4);
      disk.blocked.await();
      Await.until("lines are dropped", () -> log.droppedLines() >= 1000);
      disk.released.countDown();
      int sent = clients.stop();
      server.close();
      log.close();

      assertThat(disk.lines + log.droppedLines()).isEqualTo(sent);
      assertThat(messages())
          .satisfiesExactly(
              dropped -> assertThat(dropped).contains("bufferBytesMax"),
              end -> assertThat(end).contains("was closed; lines missing: " + log.droppedLines()));
    }
  }

  @Test
  void closesThoughTheDiskBlocks() throws Exception {
    BlockingChannel disk = new BlockingChannel();
    AccessLog log =
        AccessLog.builder(file()).closeTime(Duration.ofMillis(10)).opener(path -> disk).build();
    HttpServer server = serve(log);
    send(servers.connect(server), 1);
    disk.blocked.await();
    server.close();
    log.close();

    assertThat(log.droppedLines()).isEqualTo(1);
    servers.log().await(Level.WARNING);
  }

  @Test
  void completesALineAfterAShortWrite() throws Exception {
    ScriptedDisk disk = new ScriptedDisk(7);
    try (AccessLog log = builder(file()).opener(path -> disk).build()) {
      HttpServer server = serve(log);
      send(servers.connect(server), 5);
      server.close();
      log.close();
    }

    assertThat(disk.text().lines())
        .hasSize(5)
        .allMatch(
            line -> line.matches("127\\.0\\.0\\.1 - - \\[[^]]+\\] \"GET /number/\\d HTTP.*\""));
  }

  @Test
  void dropsAndCountsLinesAfterItsClose() {
    AccessLog log = AccessLog.builder(file()).build();
    HttpServer server = serve(log);
    RawClient client = servers.connect(server);
    send(client, 1);
    assertThat(LogLines.await(file(), 1)).hasSize(1);
    log.close();
    send(client, 5);
    server.close();

    assertThat(log.droppedLines()).isEqualTo(5);
    assertThat(LogLines.read(file())).hasSize(1);
    servers.log().expectOne(Level.WARNING, "it is closed");
  }

  /** A disk that is full at times. */
  private record FullChannel(WritableByteChannel disk, AtomicBoolean full)
      implements WritableByteChannel {
    @Override
    public int write(ByteBuffer from) throws IOException {
      if (full.get()) {
        throw new IOException(FULL);
      }
      return disk.write(from);
    }

    @Override
    public boolean isOpen() {
      return disk.isOpen();
    }

    @Override
    public void close() throws IOException {
      disk.close();
    }
  }

  /** A disk that takes nothing before it is released. */
  private static final class BlockingChannel implements WritableByteChannel {
    final CountDownLatch blocked = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    long bytes; // read after the log's close
    long lines;

    @Override
    public int write(ByteBuffer from) throws IOException {
      blocked.countDown();
      try {
        released.await();
      } catch (InterruptedException interrupted) {
        throw new IOException(interrupted);
      }
      int count = from.remaining();
      lines += IntStream.range(0, count).filter(i -> from.get() == '\n').count();
      bytes += count;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
