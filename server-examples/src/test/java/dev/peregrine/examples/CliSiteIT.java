package dev.peregrine.examples;

import static dev.peregrine.examples.FatJar.WITHOUT_VECTORS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code peregrine serve DIR}, as a process. */
@Timeout(300)
class CliSiteIT {
  private static final String TEXT = "A line of text that is sent compressed.\n".repeat(100);

  @TempDir Path folder;

  @BeforeEach
  void makeSite() throws IOException {
    write("index.html", "<p>home</p>");
    write("a.txt", "0123456789");
    write("long.txt", TEXT);
    write(".hidden", "secret");
    write("sub/a.txt", "in sub");
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve("site").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private FatJar serve(String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("serve", folder.resolve("site").toString()));
    args.addAll(List.of("--port", "0"));
    args.addAll(List.of(options));
    return new FatJar(folder, WITHOUT_VECTORS, args.toArray(String[]::new));
  }

  /** A response to one request on a connection of its own; a character is a byte. */
  private record Answer(String head, String bytes) {
    byte[] content() {
      return bytes.getBytes(ISO_8859_1);
    }

    String text() {
      return new String(content(), UTF_8);
    }

    int status() {
      return Integer.parseInt(head.substring(9, 12));
    }
  }

  private static Answer ask(int port, String target, String... fields) throws IOException {
    StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: a\r\n");
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    request.append("Connection: close\r\n\r\n");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.toString().getBytes(UTF_8));
      String response = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      int end = response.indexOf("\r\n\r\n") + 4;
      return new Answer(response.substring(0, end), response.substring(end));
    }
  }

  @Test
  void servesTheFilesOfADirectory() throws Exception {
    try (FatJar jar = serve()) {
      int port = jar.port();

      assertThat(ask(port, "/").text()).isEqualTo("<p>home</p>");
      assertThat(ask(port, "/sub/a.txt").text()).isEqualTo("in sub");
      assertThat(ask(port, "/sub").head()).startsWith("HTTP/1.1 301 ").contains("ocation: /sub/");
      assertThat(ask(port, "/absent").status()).isEqualTo(404);
      assertThat(ask(port, "/.hidden").status()).isEqualTo(404);
      assertThat(ask(port, "/sub/").status()).as("a directory without an index").isEqualTo(404);
    }
  }

  @Test
  void sendsRanges() throws Exception {
    try (FatJar jar = serve()) {
      int port = jar.port();

      Answer whole = ask(port, "/a.txt");
      Answer part = ask(port, "/a.txt", "Range: bytes=2-4");
      Answer beyond = ask(port, "/a.txt", "Range: bytes=10-");

      assertThat(whole.head()).contains("Accept-Ranges: bytes\r\n");
      assertThat(part.status()).isEqualTo(206);
      assertThat(part.head()).contains("Content-Range: bytes 2-4/10\r\n");
      assertThat(part.text()).isEqualTo("234");
      assertThat(beyond.status()).isEqualTo(416);
      assertThat(beyond.head()).contains("Content-Range: bytes */10\r\n");
    }
  }

  @Test
  void compressesForClientsThatAcceptIt() throws Exception {
    try (FatJar jar = serve()) {
      int port = jar.port();

      Answer compressed = ask(port, "/long.txt", "Accept-Encoding: gzip");
      while (!compressed.head.contains("Content-Encoding")) { // it isn't while it may change
        assertThat(compressed.text()).isEqualTo(TEXT);
        compressed = ask(port, "/long.txt", "Accept-Encoding: gzip");
      }
      Answer plain = ask(port, "/long.txt");
      Answer part = ask(port, "/long.txt", "Accept-Encoding: gzip", "Range: bytes=0-5");

      assertThat(plain.text()).isEqualTo(TEXT);
      assertThat(plain.head()).contains("Vary: Accept-Encoding\r\n");
      assertThat(compressed.head()).contains("Content-Encoding: gzip\r\n");
      assertThat(unchunked(compressed)).hasSizeLessThan(TEXT.length() / 4);
      assertThat(gunzip(unchunked(compressed))).isEqualTo(TEXT);
      assertThat(part.head()).startsWith("HTTP/1.1 206 ").doesNotContain("Content-Encoding");
      assertThat(part.text()).isEqualTo("A line");
    }
  }

  @Test
  void sendsTheCompressedFileThatLiesBeside() throws Exception {
    String large = TEXT.repeat(100);
    write("large.txt", large);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(large.getBytes(UTF_8));
    }
    Files.write(folder.resolve("site/large.txt.gz"), compressed.toByteArray());
    try (FatJar jar = serve()) {
      Answer answer = ask(jar.port(), "/large.txt", "Accept-Encoding: gzip");

      assertThat(answer.head()).contains("Content-Encoding: gzip\r\n");
      assertThat(answer.content()).isEqualTo(compressed.toByteArray());
    }
  }

  @Test
  void servesTheIndexOfASinglePageApplication() throws Exception {
    try (FatJar jar = serve("--spa")) {
      int port = jar.port();

      Answer fallback = ask(port, "/users/7");

      assertThat(fallback.status()).isEqualTo(200);
      assertThat(fallback.text()).isEqualTo("<p>home</p>");
      assertThat(fallback.head()).contains("Content-Type: text/html; charset=utf-8\r\n");
      assertThat(ask(port, "/users/v1.2/7").text()).isEqualTo("<p>home</p>");
      assertThat(ask(port, "/absent.js").status()).isEqualTo(404);
      assertThat(ask(port, "/a.txt").text()).isEqualTo("0123456789");
      assertThat(ask(port, "/livez").text()).isEqualTo("ok\n");
      assertThat(ask(port, "/a/%2e%2e/b").status()).isEqualTo(400);
    }
  }

  /** Returns the content without the chunked coding, if it has that. */
  @Test
  void listsDirectoriesIfAsked() throws Exception {
    write("sub/a b.txt", "listed");
    try (FatJar jar = serve("--listing")) {
      Answer page = ask(jar.port(), "/sub/");

      assertThat(page.status()).isEqualTo(200);
      assertThat(page.text()).contains("<a href=\"./a%20b.txt\">a b.txt</a>");
    }
    try (FatJar jar = serve()) {
      assertThat(ask(jar.port(), "/sub/").status()).isEqualTo(404);
    }
  }

  private static byte[] unchunked(Answer answer) {
    if (!answer.head.contains("Transfer-Encoding: chunked\r\n")) {
      return answer.content();
    }
    String coded = answer.bytes;
    StringBuilder content = new StringBuilder();
    int at = 0;
    while (true) {
      int lineEnd = coded.indexOf("\r\n", at);
      int size = Integer.parseInt(coded.substring(at, lineEnd), 16);
      if (size == 0) {
        return content.toString().getBytes(ISO_8859_1);
      }
      content.append(coded, lineEnd + 2, lineEnd + 2 + size);
      at = lineEnd + 2 + size + 2;
    }
  }

  private static String gunzip(byte[] content) throws IOException {
    return new String(new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes(), UTF_8);
  }
}
