package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Response;
import dev.peregrine.testing.Requests;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentOutputStreamTest {
  private static final int BUFFER = 16 * 1024;

  /** A handler's use of the stream. */
  interface Writing {
    void to(OutputStream out) throws Exception;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2048, BUFFER - 1, BUFFER})
  void sendsWhatFitsIntoItsBufferWithItsLength(int size) {
    String text = "a".repeat(size);

    assertThat(sent(out -> out.write(Requests.bytes(text))))
        .isEqualTo("Content-Length: " + size + "\r\n\r\n" + text);
    assertThat(
            sent(
                out -> {
                  for (int i = 0; i < size; i++) {
                    out.write('a');
                  }
                }))
        .isEqualTo("Content-Length: " + size + "\r\n\r\n" + text);
  }

  @Test
  void sendsMoreInChunksOfItsBuffer() {
    assertThat(chunks(out -> out.write(new byte[BUFFER + 1]))).containsExactly(BUFFER, 1);
    assertThat(chunks(out -> out.write(new byte[2 * BUFFER]))).containsExactly(BUFFER, BUFFER);
    assertThat(
            chunks(
                out -> {
                  out.write(new byte[BUFFER]);
                  out.write(1);
                }))
        .containsExactly(BUFFER, 1);
    assertThat(
            chunks(
                out -> {
                  for (int i = 0; i < 10; i++) {
                    out.write(new byte[4_000]);
                  }
                }))
        .containsExactly(BUFFER, BUFFER, 40_000 - 2 * BUFFER);
  }

  @Test
  void sendsFlushedContentInASeparateChunk() {
    assertThat(
            chunks(
                out -> {
                  out.write(new byte[10]);
                  out.flush();
                  out.write(new byte[20]);
                  out.flush();
                  out.flush();
                }))
        .containsExactly(10, 20);
    assertThat(chunks(OutputStream::flush)).isEmpty();
  }

  @Test
  void keepsNoArrayThatItWasGiven() {
    byte[] reused = new byte[1000];
    String sent =
        sent(
            out -> {
              for (int i = 0; i < 30; i++) {
                Arrays.fill(reused, (byte) ('a' + i % 26));
                out.write(reused);
              }
            });

    assertThat(sent).contains("a".repeat(1000) + "b".repeat(1000), "z".repeat(1000));
  }

  @Test
  void sendsPartsOfArrays() {
    assertThat(
            sent(
                out -> {
                  byte[] bytes = Requests.bytes("0123456789");
                  out.write(bytes, 3, 4);
                  out.write(bytes, 0, 0);
                  out.write(bytes, 9, 1);
                }))
        .endsWith("\r\n\r\n34569");
  }

  /** Returns the sizes of the received chunks. */
  private static List<Integer> chunks(Writing writing) {
    String sent = sent(writing);
    assertThat(sent).startsWith("Transfer-Encoding: chunked\r\n\r\n");
    List<Integer> sizes = new ArrayList<>();
    int at = sent.indexOf("\r\n\r\n") + 4;
    while (true) {
      int lineEnd = sent.indexOf("\r\n", at);
      int size = Integer.parseInt(sent.substring(at, lineEnd), 16);
      if (size == 0) {
        assertThat(sent.substring(at)).isEqualTo("0\r\n\r\n");
        return sizes;
      }
      sizes.add(size);
      at = lineEnd + 2 + size + 2;
      assertThat(sent.substring(at - 2, at)).isEqualTo("\r\n");
    }
  }

  /** Returns the response from its framing field on. */
  private static String sent(Writing writing) {
    try (ScriptedServer server =
        new ScriptedServer((request, response) -> write(response, writing))) {
      String response = server.exchange(Requests.get("/"));
      return response.substring(response.indexOf("Server: Test\r\n") + "Server: Test\r\n".length());
    }
  }

  private static void write(Response response, Writing writing) throws Exception {
    try (OutputStream out = response.outputStream()) {
      writing.to(out);
    }
  }
}
