package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codings of the application beside gzip. */
final class CodingsIT {
  private static final String TEXT = "a long text ".repeat(1000);
  private static final Handler HANDLER = (request, response) -> response.text(TEXT);

  @RegisterExtension final Servers servers = new Servers();

  /** A coding that leaves out all but the first byte of each write, and counts its encoders. */
  private static final class FirstByte implements ContentCoding {
    final AtomicInteger made = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public String name() {
      return "first-byte";
    }

    @Override
    public ContentEncoder newEncoder() {
      made.incrementAndGet();
      return new Encoder(closed);
    }
  }

  private static final class Encoder implements ContentEncoder {
    private final AtomicInteger closed;
    private final StringBuilder encoded = new StringBuilder();

    Encoder(AtomicInteger closed) {
      this.closed = closed;
    }

    @Override
    public void begin() {
      encoded.setLength(0);
    }

    @Override
    public void write(byte[] source, int from, int length) {
      encoded.append((char) source[from]);
    }

    @Override
    public void flush() {
      encoded.append('|');
    }

    @Override
    public void finish() {
      encoded.append('.');
    }

    @Override
    public int available() {
      return encoded.length();
    }

    @Override
    public byte[] take() {
      byte[] taken = Requests.bytes(encoded.toString());
      encoded.setLength(0);
      return taken;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private RawResponse ask(RawClient client, String accepted) {
    return client
        .send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: " + accepted + "\r\n\r\n")
        .read();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, first-byte | first-byte",
        "gzip;q=0.9, first-byte;q=0.9 | first-byte",
        "gzip, first-byte;q=0.9 | gzip",
        "gzip | gzip",
        "First-Byte | first-byte",
        "* | first-byte",
        "first-byte;q=0, * | gzip",
        "br |"
      })
  void usesTheOneThatTheClientPrefersThenTheFirst(String accepted, String used) {
    Compression compression =
        Compression.builder(HANDLER).codings(new FirstByte(), ContentCoding.gzip(1)).build();

    RawResponse response = ask(servers.connect(servers.start(compression)), accepted);

    assertThat(response.header("Content-Encoding")).isEqualTo(used);
    assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
    if ("first-byte".equals(used)) {
      assertThat(response.text()).isEqualTo("a.");
    }
  }

  @Test
  void usesAnEncoderForOneResponseAfterAnother() {
    FirstByte coding = new FirstByte();
    Compression compression = Compression.builder(HANDLER).codings(coding).build();
    RawClient client = servers.connect(servers.start(compression));
    assertThat(coding.made).hasValue(1);
    assertThat(coding.closed).hasValue(1); // codings() has created and closed one as a check

    for (int i = 0; i < 10; i++) {
      assertThat(ask(client, "first-byte").text()).isEqualTo("a.");
    }

    assertThat(coding.made).hasValue(2);
    assertThat(compression.encodersInUse()).isZero();
  }

  @Test
  void boundsTheEncodersOfAllCodingsTogether() {
    AtomicReference<ResponseStream> held = new AtomicReference<>();
    Handler holding =
        (request, response) -> {
          if (held.get() == null) {
            held.set(response.async().header("Content-Type", "text/plain").stream());
          } else {
            response.text(TEXT);
          }
        };
    Compression compression =
        Compression.builder(holding)
            .codings(new FirstByte(), ContentCoding.gzip(1))
            .encodersMax(1)
            .build();
    HttpServer server = servers.start(compression);
    RawClient first =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: first-byte\r\n\r\n");
    Await.until(
        "the first encoder is in use",
        () -> compression.encodersInUse() == 1 && held.get() != null);

    RawResponse second = ask(servers.connect(server), "gzip");

    assertThat(second.header("Content-Encoding")).isNull();
    assertThat(second.text()).isEqualTo(TEXT);
    first.reset();
    Await.until("the encoder is back", () -> compression.encodersInUse() == 0);
    assertThat(ask(servers.connect(server), "gzip").header("Content-Encoding")).isEqualTo("gzip");
  }

  @Test
  void failsAtOnceForACodingThatDoesNotWorkHere() {
    ContentCoding missing =
        new ContentCoding() {
          @Override
          public String name() {
            return "missing";
          }

          @Override
          public ContentEncoder newEncoder() {
            throw new UnsupportedOperationException("no library for this machine");
          }
        };

    assertThatThrownBy(() -> Compression.builder(HANDLER).codings(missing))
        .hasMessageContaining("no library");
  }
}
