package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.lines.LineFlow;
import dev.peregrine.http.lines.LineListener;
import dev.peregrine.http.lines.LineReader;
import dev.peregrine.http.multipart.MultipartFlow;
import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.http.multipart.MultipartListener;
import dev.peregrine.http.multipart.PartHead;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that the application retains after they were made of received ones. */
final class RetainedCopiesIT {
  private static final String PIECE = "retained".repeat(10);
  private static final int COUNTED = PIECE.length() + Retainer.OBJECT_BYTES;

  @RegisterExtension final Servers servers = new Servers();

  private final List<RetainedBytes> kept = new CopyOnWriteArrayList<>();

  /** The parts of the server that make other bytes of content. */
  enum Source {
    LINES,
    LINES_OF_A_STREAM,
    DECODED,
    DECODED_LINES,
    FORM;

    Handler handler(List<RetainedBytes> kept) {
      return switch (this) {
        case LINES, DECODED_LINES ->
            Decompression.of(
                (request, response) ->
                    LineFlow.receive(request, response, 1024, new Keeping(kept, response)));
        case LINES_OF_A_STREAM ->
            Handlers.blocking(
                (request, response) -> {
                  try (LineReader lines = LineReader.open(request, 1024)) {
                    for (Bytes line = lines.next(); line != null; line = lines.next()) {
                      kept.add(line.retain());
                    }
                  }
                  response.text("kept");
                });
        case DECODED ->
            Decompression.of(
                (request, response) -> request.body().receive(new Keeping(kept, response)));
        case FORM ->
            (request, response) ->
                MultipartFlow.receive(
                    request, response, MultipartLimits.DEFAULTS, new Keeping(kept, response));
      };
    }

    byte[] request() throws IOException {
      return switch (this) {
        case LINES, LINES_OF_A_STREAM -> Requests.post("/", Requests.bytes(PIECE));
        case DECODED, DECODED_LINES -> post("Content-Encoding: gzip", zip(PIECE));
        case FORM -> {
          String form =
              "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n" + PIECE + "\r\n--b--\r\n";
          yield post("Content-Type: multipart/form-data; boundary=b", Requests.bytes(form));
        }
      };
    }

    private static byte[] post(String field, byte[] content) {
      byte[] head =
          Requests.lines("POST / HTTP/1.1", "Host: a", field, "Content-Length: " + content.length);
      return Requests.join(head, content);
    }

    private static byte[] zip(String text) throws IOException {
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
        gzip.write(Requests.bytes(text));
      }
      return zipped.toByteArray();
    }
  }

  /** Retains every piece. */
  private record Keeping(List<RetainedBytes> kept, Response response)
      implements LineListener, BodyListener, MultipartListener {
    @Override
    public void onLine(Bytes line) {
      kept.add(line.retain());
    }

    @Override
    public void onPart(PartHead head) {}

    @Override
    public void onData(Bytes data) {
      kept.add(data.retain());
    }

    @Override
    public void onPartEnd() {}

    @Override
    public void onEnd() {
      response.text("kept");
    }

    @Override
    public void onError(IOException cause) {}
  }

  private RawClient start(Source source, int retainedBytesMax) {
    ServerLimits limits = Servers.LIMITS.toBuilder().retainedBytesMax(retainedBytesMax).build();
    return servers.connect(
        servers.start(source.handler(kept), options -> options.limits(limits).loops(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "LINES, -1", "LINES, 0", "LINES, 1",
    "LINES_OF_A_STREAM, -1", "LINES_OF_A_STREAM, 0", "LINES_OF_A_STREAM, 1",
    "DECODED, -1", "DECODED, 0", "DECODED, 1",
    "DECODED_LINES, -1", "DECODED_LINES, 0", "DECODED_LINES, 1",
    "FORM, -1", "FORM, 0", "FORM, 1"
  })
  void countAgainstTheLimit(Source source, int room) throws IOException {
    RawClient client = start(source, COUNTED + room);

    for (int i = 0; i < 2; i++) { // what was released doesn't count
      client.send(source.request());
      assertThat(client.read("POST").status()).isEqualTo(room < 0 ? 503 : 200);
      assertThat(kept).hasSize(room < 0 ? 0 : 1);
      kept.forEach(RetainedBytes::release);
      kept.clear();
    }

    servers.log().take(Level.WARNING);
  }

  @ParameterizedTest
  @EnumSource
  void stayReadableAfterTheirRequest(Source source) throws IOException {
    RawClient client = start(source, 2 * COUNTED);

    for (int i = 0; i < 2; i++) {
      assertThat(client.send(source.request()).read("POST").text()).isEqualTo("kept");
    }

    assertThat(client.send(source.request()).read("POST").status()).isEqualTo(503);
    assertThat(kept).extracting(Bytes::toString).containsExactly(PIECE, PIECE);
    kept.forEach(RetainedBytes::release);
    servers.log().take(Level.WARNING);
  }
}
