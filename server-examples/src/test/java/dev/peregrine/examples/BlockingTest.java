package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class BlockingTest {
  @Test
  void compressesWhatItIsSent() throws Exception {
    String text = "Falcons fall fast. ".repeat(100_000);
    try (HttpServer server = Blocking.start(0);
        Client client = new Client(server.port())) {
      HttpResponse<byte[]> answer =
          client.send("POST", "/", BodyPublishers.ofString(text), BodyHandlers.ofByteArray());

      assertThat(answer.headers().firstValue("Content-Type")).contains("application/gzip");
      try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
        assertThat(in).hasBinaryContent(text.getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
