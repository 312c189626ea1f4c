package dev.peregrine.examples;

import static dev.peregrine.examples.FatJar.WITHOUT_VECTORS;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LocalAddress;
import dev.peregrine.linux.LocalMessage;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.PollSet;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.epoll.Epoll;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Restarts by {@code --hand-over}. */
@Timeout(300)
class CliHandOverIT {
  private static final int USED_WRONGLY = 2;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10); // then it waits again
  private static final int NONBLOCKING_DATAGRAMS = 2 | 0x800;

  private Path folder = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    folder = Files.createTempDirectory("ch"); // short: a socket's path has 107 bytes
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private FatJar start(String name, Map<String, String> environment) throws IOException {
    Path site = Files.createDirectories(folder.resolve(name));
    Files.writeString(site.resolve("name"), name);
    return new FatJar(
        folder,
        WITHOUT_VECTORS,
        environment,
        "--port",
        "0",
        "--files",
        site.toString(),
        "--hand-over",
        socket(),
        "--limit",
        "request-bytes-per-second-min=0"); // an upload waits for the start of the next process
  }

  private String socket() {
    return folder.resolve("s").toString();
  }

  @Test
  void givesItsPortToTheNextProcessUnderRequests() throws Exception {
    assumeEpoll();
    try (FatJar old = start("old", Map.of())) {
      int port = old.port();
      try (Load load = new Load(port);
          Socket upload = new Socket(InetAddress.getLoopbackAddress(), port)) {
        BufferedReader response = beginUpload(upload);
        load.await("old");
        try (FatJar next = start("next", Map.of())) {
          assertThat(next.port()).isEqualTo(port);
          load.await("next");
          upload.getOutputStream().write("second".getBytes(US_ASCII));
          assertThat(response.readLine()).isEqualTo("second");

          assertThat(old.exitValue()).isZero();
          assertThat(old.output()).last().asString().matches(FatJar.COMPLETE_END);
          load.await("next");
          assertThat(load.end()).isEmpty();
        }
      }
    }
  }

  /** Sends half a request, and reads the first part of its response. */
  private static BufferedReader beginUpload(Socket upload) throws IOException {
    upload
        .getOutputStream()
        .write(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\nfirst\n"
                .getBytes(US_ASCII));
    BufferedReader response =
        new BufferedReader(new InputStreamReader(upload.getInputStream(), US_ASCII));
    assertThat(response.lines().takeWhile(line -> !line.isEmpty())).isNotEmpty();
    assertThat(response.readLine()).isEqualTo("first");
    return response;
  }

  @Test
  void namesTheMainProcessToSystemd() throws Exception {
    assumeEpoll();
    String address = "@peregrine-cli-" + ProcessHandle.current().pid();
    Map<String, String> environment = Map.of("NOTIFY_SOCKET", address);
    try (LocalSocket systemd = datagrams(address);
        FatJar old = start("old", environment)) {
      int port = old.port();
      assertThat(awaitMessage(systemd)).isEqualTo("READY=1");
      try (FatJar next = start("next", environment)) {
        assertThat(awaitMessage(systemd)).isEqualTo("MAINPID=" + next.pid() + "\nREADY=1");
        assertThat(next.port()).isEqualTo(port);
        assertThat(old.exitValue()).isZero();
      }
    }
  }

  @Test
  void continuesIfTheNextProcessCantNotifySystemd() throws Exception {
    assumeEpoll();
    try (FatJar old = start("old", Map.of())) {
      int port = old.port();
      try (FatJar next = start("next", Map.of("NOTIFY_SOCKET", "/nowhere/notify"))) {
        assertThat(next.exitValue()).isEqualTo(1);
        assertThat(next.errors()).last().asString().startsWith("peregrine: systemd isn't notified");
      }
      assertThat(nameAt(port)).isEqualTo("old");
    }
  }

  @Test
  void needsTheEpollTransport() throws Exception {
    assertIsWrong("--hand-over needs the epoll transport", "--transport", "nio");
  }

  @Test
  void needsADirectory() throws Exception {
    assertIsWrong("nowhere doesn't exist", "--hand-over", folder.resolve("nowhere/s").toString());
  }

  private void assertIsWrong(String error, String... options) throws Exception {
    String[] args = new String[options.length + 2];
    args[0] = "--hand-over";
    args[1] = socket();
    System.arraycopy(options, 0, args, 2, options.length);
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, args)) {
      assertThat(jar.exitValue()).isEqualTo(USED_WRONGLY);
      assertThat(jar.errors()).singleElement().asString().contains(error);
    }
  }

  private static void assumeEpoll() {
    String problem = Epoll.problem();
    assumeTrue(problem == null, () -> "it needs the epoll transport: " + problem);
  }

  private static LocalSocket datagrams(String address) throws IOException {
    Kernel kernel = new Kernel();
    int fd = (int) kernel.call(SystemCall.SOCKET, LocalAddress.FAMILY, NONBLOCKING_DATAGRAMS, 0);
    int bytes = LocalAddress.write(address, kernel.scratch);
    assertThat(kernel.call(SystemCall.BIND, fd, kernel.scratchAddress, bytes)).isZero();
    return new LocalSocket(fd);
  }

  private static String awaitMessage(LocalSocket from) throws Exception {
    PollSet arrivals = new PollSet();
    int ignored = arrivals.add(from.descriptor(), false);
    LocalMessage message = from.receive();
    while (message == null) {
      arrivals.await(WAIT_NANOS);
      message = from.receive();
    }
    return message.text();
  }

  /** Requests a file over a new connection. */
  private static String nameAt(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "GET /files/name HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(US_ASCII));
      String response = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return response.substring(response.lastIndexOf('\n') + 1);
    }
  }

  /** Clients that open a connection for each request, and note each that fails. */
  private static final class Load implements AutoCloseable {
    private static final int CLIENTS = 2;

    private final List<String> failures = new CopyOnWriteArrayList<>();

    private final AtomicBoolean ending = new AtomicBoolean();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private String last = "";

    Load(int port) {
      for (int i = 0; i < CLIENTS; i++) {
        threads.add(Thread.ofPlatform().daemon().start(() -> run(port)));
      }
    }

    private void run(int port) {
      while (!ending.get()) {
        try {
          note(nameAt(port));
        } catch (IOException failure) {
          failures.add(Objects.toString(failure));
        }
      }
    }

    private synchronized void note(String name) {
      last = name;
      notifyAll();
    }

    /** Waits until a process with that name answers. */
    synchronized void await(String name) throws InterruptedException {
      while (!last.equals(name)) {
        wait();
      }
    }

    /** Ends the clients; returns the failures. */
    List<String> end() throws InterruptedException {
      ending.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      return failures;
    }

    @Override
    public void close() {
      ending.set(true);
    }
  }
}
