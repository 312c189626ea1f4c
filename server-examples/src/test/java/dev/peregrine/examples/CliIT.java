package dev.peregrine.examples;

import static dev.peregrine.examples.FatJar.WITHOUT_VECTORS;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the jar, as a process. */
@Timeout(300)
class CliIT {
  private static final int USED_WRONGLY = 2;

  private static final String HASH =
      "$pbkdf2-sha256$i=600000$jBWdmXjl1NpwGbkq"
          + "fxRi/w$k5CVnOW2ekSUVJE9xnCx9HxjamvR2462DVuCXsVTe+E";

  @TempDir Path folder;

  @Test
  void printsOneLineWhenItHasStarted() throws Exception {
    try (FatJar jar = start("hello", "--listen", "127.0.0.1:0", "--transport", "nio")) {
      assertThat(jar.line())
          .matches(
              "Peregrine serves http://127\\.0\\.0\\.1:\\d+"
                  + " \\(HTTP/1\\.1 and HTTP/2; nio; scanner swar\\), started in \\d+ ms");
      jar.terminate();
      assertThat(jar.output()).singleElement().asString().matches(FatJar.COMPLETE_END);
    }
  }

  @Test
  void saysThatTheTransportWillChange() throws Exception {
    String problem = Epoll.knownProblem();
    assumeTrue(problem == null, () -> "it needs the epoll transport: " + problem);
    try (FatJar jar = start("--port", "0")) {
      assertThat(jar.line()).contains("; nio, then epoll; scanner swar), started");
    }
    try (FatJar jar = start("--port", "0", "--transport", "epoll")) {
      assertThat(jar.line()).contains("; epoll; scanner swar), started");
    }
  }

  @Test
  void countsAtItsEndTheResponsesThatItCutShort() throws Exception {
    try (FatJar jar = start("--port", "0", "--patience", "0");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), jar.port())) {
      socket
          .getOutputStream()
          .write("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na".getBytes(US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');

      jar.terminate();

      assertThat(jar.output())
          .singleElement()
          .asString()
          .contains(" Peregrine has stopped: shut down in ")
          .endsWith(" ms; cut short: responses not sent to their end 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "serve ."})
  void answersHealthChecksAndWritesAnAccessLog(String command) throws Exception {
    List<String> args = new ArrayList<>(List.of(command.split(" ", -1)));
    args.addAll(List.of("--port", "0", "--access-log", path("log"), "--access-log-format", "json"));
    try (FatJar jar = start(args.toArray(String[]::new));
        Client client = new Client(jar.port())) {
      assertThat(client.get("/livez").statusCode()).isEqualTo(200);
      assertThat(client.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(client.get("/absent").statusCode()).isEqualTo(404);
      jar.terminate();
      assertThat(jar.output()).last().asString().matches(FatJar.COMPLETE_END);
    }

    assertThat(Files.readAllLines(folder.resolve("log")))
        .hasSize(3)
        .allMatch(line -> line.startsWith("{\"time\":"));
  }

  @Test
  void hashesAPasswordForAFileOfUsers() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    Process process =
        new ProcessBuilder(FatJar.command(WITHOUT_VECTORS, "hash-password"))
            .redirectInput(password.toFile())
            .start();
    String hash = process.inputReader().readLine();
    assertThat(process.waitFor()).isZero();
    Files.writeString(folder.resolve("users"), "ann:" + hash + "\n");
    Files.writeString(Files.createDirectory(folder.resolve("site")).resolve("a"), "content");
    String[] options = {"serve", path("site"), "--auth", "/*=" + path("users"), "--port", "0"};
    try (FatJar jar = start(options)) {
      int port = jar.port();
      assertThat(authorized(port, "ann:secret")).startsWith("HTTP/1.1 200 ").endsWith("content");
      assertThat(authorized(port, "ann:other")).startsWith("HTTP/1.1 401 ");
    }
  }

  private static String authorized(int port, String credentials) throws IOException {
    String basic = Base64.getEncoder().encodeToString(credentials.getBytes(US_ASCII));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Basic " + basic;
      socket.getOutputStream().write((request + "\r\n\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Test
  void warnsOfPasswordsWithoutTls() throws Exception {
    Path hash = Files.writeString(folder.resolve("users"), "a:" + HASH + "\n");
    Path site = Files.createDirectory(folder.resolve("site"));
    String[] options = {
      "serve", site.toString(), "--auth", "/*=" + hash, "--listen", "0.0.0.0:0", "--check"
    };
    try (FatJar jar = start(options)) {
      assertThat(jar.exitValue()).isZero();
      assertThat(jar.errors())
          .contains(
              "peregrine: warning: --auth has passwords sent to 0.0.0.0:0 without TLS;"
                  + " --https-redirect prevents that");
    }
  }

  @Test
  void writesTheAccessLogToStandardOutput() throws Exception {
    try (FatJar jar = start("--port", "0", "--access-log", "/dev/stdout");
        Client client = new Client(jar.port())) {
      assertThat(client.get("/plaintext").statusCode()).isEqualTo(200);

      assertThat(jar.line()).contains("\"GET /plaintext HTTP/1.1\" 200 13 ");
    }
  }

  @Test
  void listensOnAUnixSocket() throws Exception {
    Path socket = folder.resolve("s");
    try (FatJar jar = start("--listen", "unix:" + socket)) {
      assertThat(jar.line()).contains("unix:" + socket);
      try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        assertThat(client.connect(UnixDomainSocketAddress.of(socket))).isTrue();
        client.write(
            ByteBuffer.wrap(
                "GET /plaintext HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(US_ASCII)));
        byte[] response = Channels.newInputStream(client).readAllBytes();
        assertThat(new String(response, US_ASCII)).endsWith("Hello, World!");
      }
    }
  }

  @Test
  void prefersTheCommandLineToTheEnvironmentAndThatToTheFile() throws Exception {
    write("c.properties", "port = 1\nscanner = scalar\ntransport = nio\n");
    Map<String, String> environment =
        Map.of(
            "PEREGRINE_CONFIG",
            path("c.properties"),
            "PEREGRINE_SCANNER",
            "swar",
            "PEREGRINE_PORT",
            "2");
    try (FatJar jar = new FatJar(folder, WITHOUT_VECTORS, environment, "--port", "0")) {
      assertThat(jar.line()).contains("nio; scanner swar").doesNotContain(":1 ", ":2 ");
    }
  }

  @Test
  void checksWithoutStarting() throws Exception {
    write("site/index.html", "");
    write("cert.pem", SampleCertificate.CHAIN);
    write("key.pem", SampleCertificate.KEY);
    write(
        "good.properties",
        "tls-cert = %s%ntls-key = %s%n".formatted(path("cert.pem"), path("key.pem")));
    write("bad.properties", "# a comment\n\nport = many\n");

    assertEnds(0, "", "serve", path("site"), "--check", "--config", path("good.properties"));
    assertEnds(
        USED_WRONGLY,
        path("bad.properties") + ", line 3: port is many",
        "--check",
        "--config",
        path("bad.properties"));
    assertEnds(
        USED_WRONGLY,
        "cert.pem",
        "--check",
        "--tls-cert",
        path("key.pem") + "cert.pem",
        "--tls-key",
        path("key.pem"));
    assertEnds(USED_WRONGLY, "doesn't exist", "serve", path("none"), "--check");
    assertEnds(USED_WRONGLY, "port", "--check", "--listen", "127.0.0.1:http");
  }

  @Test
  void printsAScriptThatCompletesOptions() throws Exception {
    Path script = folder.resolve("completion.sh");
    try (FatJar jar = start("completion")) {
      Files.write(script, jar.output());
    }
    String typed =
        "source '%s'; COMP_WORDS=(peregrine --tls-c); COMP_CWORD=1; _complete_peregrine;"
                .formatted(script)
            + " printf '%s\\n' \"${COMPREPLY[@]}\"";
    Process bash = new ProcessBuilder("bash", "-c", typed).redirectErrorStream(true).start();

    assertThat(bash.inputReader().lines()).contains("--tls-cert");
    assertThat(bash.waitFor()).isZero();
  }

  private void assertEnds(int status, String error, String... args) throws Exception {
    try (FatJar jar = start(args)) {
      assertThat(jar.exitValue()).isEqualTo(status);
      List<String> errors = jar.errors();
      assertThat(errors).hasSize(status == 0 ? 0 : 1);
      assertThat(String.join("", errors)).contains(error);
    }
  }

  private FatJar start(String... args) throws IOException {
    return new FatJar(folder, WITHOUT_VECTORS, args);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
