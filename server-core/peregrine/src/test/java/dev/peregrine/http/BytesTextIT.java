package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.multipart.MultipartFlow;
import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.http.multipart.MultipartListener;
import dev.peregrine.http.multipart.PartHead;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Received bytes are their text wherever Java makes a string of them. */
final class BytesTextIT {
  private static final String TEXT = "Grüße, 世界 🦅";
  private static final byte[] UTF_8 = TEXT.getBytes(StandardCharsets.UTF_8);

  @RegisterExtension final Servers servers = new Servers();

  private String echo(Handler handler, String fields, byte[] content) {
    RawClient client = servers.connect(servers.start(handler));
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + fields);
    client.send("Content-Length: " + content.length + "\r\n\r\n").send(content);
    return client.read().text();
  }

  private static void join(Request request, Response response) {
    StringBuilder text = new StringBuilder();
    request
        .body()
        .receive(Listeners.of(data -> text.append(data), () -> response.text("got " + text)));
  }

  @Test
  void areTextInContent() {
    assertThat(echo(BytesTextIT::join, "", UTF_8)).isEqualTo("got " + TEXT);
  }

  @Test
  void areTextInDecodedContent() throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(UTF_8);
    }
    Handler decoding = Decompression.of(BytesTextIT::join);

    assertThat(echo(decoding, "Content-Encoding: gzip\r\n", coded.toByteArray()))
        .isEqualTo("got " + TEXT);
  }

  @Test
  void areTextInAPart() {
    String type = "Content-Type: multipart/form-data; boundary=x\r\n";
    String start = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
    byte[] content = Requests.join(Requests.bytes(start), UTF_8, Requests.bytes("\r\n--x--\r\n"));

    assertThat(echo(BytesTextIT::joinParts, type, content)).isEqualTo("got " + TEXT);
  }

  private static void joinParts(Request request, Response response) {
    StringBuilder text = new StringBuilder();
    MultipartFlow.receive(
        request,
        response,
        MultipartLimits.DEFAULTS,
        new MultipartListener() {
          @Override
          public void onPart(PartHead head) {}

          @Override
          public void onData(Bytes data) {
            text.append(data);
          }

          @Override
          public void onPartEnd() {}

          @Override
          public void onEnd() {
            response.text("got " + text);
          }
        });
  }

  @Test
  void replaceWhatIsMalformed() {
    byte[] malformed = {'a', -1, 'b', (byte) 0xE2, (byte) 0x82};

    assertThat(echo(BytesTextIT::join, "", malformed)).isEqualTo("got a\uFFFDb\uFFFD");
  }

  @Test
  void areNothingAfterTheCallThatTheyCameWith() {
    AtomicReference<Bytes> kept = new AtomicReference<>();
    List<String> failures = new ArrayList<>();
    Handler keeping =
        (request, response) ->
            request
                .body()
                .receive(
                    Listeners.of(
                        kept::set,
                        () -> {
                          try {
                            response.text("got " + kept.get());
                          } catch (IllegalStateException closed) {
                            failures.add(String.valueOf(closed.getMessage()));
                            response.text("nothing");
                          }
                        }));

    assertThat(echo(keeping, "", UTF_8)).isEqualTo("nothing");
    assertThat(failures).singleElement().asString().contains("only during the call");
  }
}
