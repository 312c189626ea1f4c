package dev.peregrine.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.server.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Responses of a server, compressed with zstd for clients that accept it. */
class ZstdIT {
  private static final String TEXT = "a text that is repeated, ".repeat(20_000);
  private static final Handler WHOLE = (request, response) -> response.text(TEXT);
  private static final Handler STREAM =
      Handlers.blocking(
          (request, response) -> {
            response.header("Content-Type", "text/plain");
            try (OutputStream out = response.outputStream()) {
              out.write(TEXT.getBytes(StandardCharsets.UTF_8));
            }
          });

  @Test
  void compressesForClientsThatTakeIt() throws Exception {
    for (Handler handler : List.of(WHOLE, STREAM)) {
      HttpResponse<byte[]> response = ask(handler, "gzip, deflate, br, zstd");

      assertThat(response.headers().firstValue("Content-Encoding")).hasValue("zstd");
      try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(response.body()))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(TEXT);
      }
    }
  }

  @Test
  void leavesTheOthersToGzip() throws Exception {
    HttpResponse<byte[]> response = ask(WHOLE, "gzip, deflate, br");

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(TEXT);
    }
  }

  private static HttpResponse<byte[]> ask(Handler handler, String accepted) throws Exception {
    Compression compression =
        Compression.builder(handler)
            .codings(new Zstd(Zstd.LEVEL_DEFAULT), ContentCoding.gzip(4))
            .build();
    try (HttpServer server = Peregrine.builder().loops(1).handler(compression).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.port());
      HttpRequest request = HttpRequest.newBuilder(uri).header("Accept-Encoding", accepted).build();
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }
}
