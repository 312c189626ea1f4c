package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EchoTest {
  private static final int SOME_BYTES = 300_000;
  private static final int MORE_THAN_THE_SERVER_WOULD_TAKE = 40_000_000;
  private static final int BUFFER_BYTES_MAX = 4 * 1024 * 1024;

  private final HttpServer server = Echo.start(0);
  private final Client client = new Client(server.port());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void sendsBackContentOfAKnownLength() throws Exception {
    byte[] content = bytes(SOME_BYTES);

    HttpResponse<byte[]> answer =
        client.send("POST", "/", BodyPublishers.ofByteArray(content), BodyHandlers.ofByteArray());

    assertThat(answer.body()).isEqualTo(content);
    assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(SOME_BYTES);
  }

  @Test
  void sendsBackChunkedContent() throws Exception {
    byte[] content = bytes(SOME_BYTES);

    HttpResponse<byte[]> answer =
        client.send(
            "POST",
            "/",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content)),
            BodyHandlers.ofByteArray());

    assertThat(answer.body()).isEqualTo(content);
    assertThat(answer.headers().firstValue("Transfer-Encoding")).contains("chunked");
  }

  @Test
  void sendsNothingBackForEmptyContent() throws Exception {
    assertThat(client.post("/", "").body()).isEmpty();
  }

  @Test
  void holdsLittleOfALargeContentAtATime() throws Exception {
    int total = MORE_THAN_THE_SERVER_WOULD_TAKE;
    byte[] content = bytes(total);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(socket, content));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      skipHead(in);
      byte[] piece = new byte[1_000_000];
      for (int from = 0; from < total; from += piece.length) {
        in.readFully(piece);
        assertThat(piece).isEqualTo(Arrays.copyOfRange(content, from, from + piece.length));
        assertThat(server.bufferBytesInUse()).isLessThan(BUFFER_BYTES_MAX);
      }
      sent.join();
    }
  }

  private static void send(Socket socket, byte[] content) {
    try {
      OutputStream out = socket.getOutputStream();
      String head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + content.length;
      out.write((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(content);
    } catch (IOException lost) {
      throw new UncheckedIOException(lost);
    }
  }

  private static void skipHead(InputStream in) throws IOException {
    int last = 0; // the last four bytes
    while (last != 0x0D0A0D0A) {
      last = last << 8 | in.read();
    }
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }
}
