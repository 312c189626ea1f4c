package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.coding.ContentEncoder;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are compressed once. */
final class StaticFilesCompressedIT extends ServedFiles {
  private static final String GZIP = "Accept-Encoding: gzip";

  /** A coding whose encoder waits until it may work, and counts the files. */
  private static final class Gate implements ContentCoding {
    final CountDownLatch opened = new CountDownLatch(1);
    private final AtomicBoolean created = new AtomicBoolean();
    final AtomicInteger begun = new AtomicInteger();

    @Override
    public String name() {
      return "gzip";
    }

    @Override
    public ContentEncoder newEncoder() {
      boolean checked = created.getAndSet(true);
      if (checked) {
        begun.incrementAndGet();
        try {
          opened.await();
        } catch (InterruptedException unexpected) {
          throw new IllegalStateException(unexpected);
        }
      }
      return ContentCoding.gzip(6).newEncoder();
    }
  }

  private static String text(int lines) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("line ").append(i).append(" of a text that can be compressed\n");
    }
    return text.toString();
  }

  private static RawResponse awaitCompressed(RawClient client, String path) {
    RawResponse[] last = {get(client, path, GZIP)};
    Await.until(
        () -> "compressed: " + last[0],
        () -> {
          last[0] = get(client, path, GZIP);
          return last[0].header("Content-Encoding") != null;
        });
    return last[0];
  }

  private static String unzipped(RawResponse response) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.content()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A file whose content is kept, and one that is read for each response. */
  @ParameterizedTest
  @ValueSource(ints = {100, 20_000})
  void sendsTheCompressedFormWithItsOwnStrongTag(int lines) throws IOException {
    file("a.txt", text(lines));
    RawClient client = serve();

    RawResponse first = get(client, "/a.txt", GZIP);
    RawResponse compressed = awaitCompressed(client, "/a.txt");

    assertThat(first.header("Content-Encoding")).isNull();
    assertThat(first.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(first.text()).isEqualTo(text(lines));
    assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(compressed.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(compressed.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(compressed.header("Last-Modified")).isEqualTo(LONG_AGO_FIELD);
    assertThat(compressed.header("Content-Length")).isEqualTo("" + compressed.content().length);
    assertThat(unzipped(compressed)).isEqualTo(text(lines));
    assertThat(tag(compressed)).startsWith("\"").contains("-gzip-").isNotEqualTo(tag(first));
    assertThat(get(client, "/a.txt").text()).isEqualTo(text(lines));
    assertThat(tag(get(client, "/a.txt", "Accept-Encoding: br"))).isEqualTo(tag(first));
  }

  @Test
  void servesRangesConditionsAndHeadOfTheCompressedForm() throws IOException {
    file("a.txt", text(1000));
    RawClient client = serve();
    RawResponse whole = awaitCompressed(client, "/a.txt");
    int size = whole.content().length;

    RawResponse range =
        get(client, "/a.txt", GZIP, "Range: bytes=10-19", "If-Range: " + tag(whole));
    assertThat(range.status()).isEqualTo(206);
    assertThat(range.header("Content-Range")).isEqualTo("bytes 10-19/" + size);
    assertThat(range.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(range.content()).isEqualTo(Arrays.copyOfRange(whole.content(), 10, 20));
    RawResponse plainRange = get(client, "/a.txt", "Range: bytes=10-19");
    assertThat(plainRange.text()).isEqualTo(text(1000).substring(10, 20));
    RawResponse otherForm = get(client, "/a.txt", "Range: bytes=10-19", "If-Range: " + tag(whole));
    assertThat(otherForm.status()).isEqualTo(200);
    assertThat(otherForm.text()).isEqualTo(text(1000));
    RawResponse unchanged = get(client, "/a.txt", GZIP, "If-None-Match: " + tag(whole));
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.header("ETag")).isEqualTo(tag(whole));
    assertThat(unchanged.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(get(client, "/a.txt", "If-None-Match: " + tag(whole)).status()).isEqualTo(200);
    assertThat(get(client, "/a.txt", GZIP, "If-Match: " + tag(whole)).status()).isEqualTo(200);
    assertThat(get(client, "/a.txt", "If-Match: " + tag(whole)).status()).isEqualTo(412);
    RawResponse head = ask(client, "HEAD", "/a.txt", GZIP);
    assertThat(head.header("Content-Length")).isEqualTo("" + size);
    assertThat(head.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(tag(head)).isEqualTo(tag(whole));
  }

  @Test
  void sendsThePlainFormWhileTheCompressedOneIsMadeAndMakesItOnce() throws IOException {
    file("a.txt", text(1000));
    Gate gate = new Gate();
    RawClient client = serve(options -> options.compression(gate));

    String tag = tag(get(client, "/a.txt", GZIP));
    for (int i = 0; i < 10; i++) {
      RawResponse whole = get(client, "/a.txt", GZIP);
      assertThat(whole.text()).isEqualTo(text(1000));
      assertThat(whole.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(tag(ask(client, "HEAD", "/a.txt", GZIP))).isEqualTo(tag);
      RawResponse range = get(client, "/a.txt", GZIP, "Range: bytes=0-3", "If-Range: " + tag);
      assertThat(range.text()).isEqualTo("line");
      assertThat(get(client, "/a.txt", GZIP, "If-None-Match: " + tag).status()).isEqualTo(304);
    }
    Await.until(() -> "it has begun", () -> gate.begun.get() > 0);
    gate.opened.countDown();

    assertThat(unzipped(awaitCompressed(client, "/a.txt"))).isEqualTo(text(1000));
    assertThat(gate.begun).hasValue(1);
  }

  /** A change of the file ends the use of its compressed form. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesTheCompressedFormUpWhenTheFileChanges(boolean whileItIsMade) throws IOException {
    file("a.txt", text(1000));
    Gate gate = new Gate();
    if (!whileItIsMade) {
      gate.opened.countDown();
    }
    RawClient client = serve(options -> options.compression(gate).revalidateAfter(Duration.ZERO));
    get(client, "/a.txt", GZIP);
    get(client, "/a.txt", GZIP);
    String before = whileItIsMade ? "" : tag(awaitCompressed(client, "/a.txt"));
    Await.until(() -> "it has begun", () -> gate.begun.get() > 0);

    file("a.txt", "changed " + text(1000));
    gate.opened.countDown();

    assertThat(get(client, "/a.txt", GZIP).text()).isEqualTo("changed " + text(1000));
    RawResponse compressed = awaitCompressed(client, "/a.txt");
    assertThat(unzipped(compressed)).isEqualTo("changed " + text(1000));
    assertThat(tag(compressed)).isNotEqualTo(before);
    assertThat(get(client, "/a.txt", GZIP, "If-None-Match: \"x\", " + before).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"short.txt, 10", "data.bin, 1000", "noise.txt, 0"})
  void leavesAFileAsItIsThatIsNotWorthIt(String name, int lines) throws IOException {
    if (lines == 0) {
      Files.write(root.resolve(name), LARGE);
      age(root.resolve(name));
    } else {
      file(name, text(lines));
    }
    file("marker.txt", text(1000));
    RawClient client = serve();

    get(client, "/" + name, GZIP);
    get(client, "/" + name, GZIP);
    RawResponse marker = awaitCompressed(client, "/marker.txt"); // made after the other, if at all

    assertThat(marker.header("Content-Encoding")).isEqualTo("gzip");
    RawResponse response = get(client, "/" + name, GZIP);
    assertThat(response.header("Content-Encoding")).isNull();
    assertThat(response.content()).isEqualTo(Files.readAllBytes(root.resolve(name)));
  }

  @Test
  void prefersAFileThatLiesBeside() throws IOException {
    file("a.txt", text(1000));
    file("a.txt.gz", "beside");
    file("b.txt", text(1000));
    file("b.txt.br", "as br");
    RawClient client = serve();

    assertThat(get(client, "/a.txt", GZIP).text()).isEqualTo("beside");
    assertThat(get(client, "/a.txt", GZIP).text()).isEqualTo("beside");
    assertThat(unzipped(awaitCompressed(client, "/b.txt"))).isEqualTo(text(1000));
    assertThat(get(client, "/b.txt", "Accept-Encoding: gzip, br").text()).isEqualTo("as br");
  }

  @Test
  void isNotDoneIfConfiguredAndNotForTransformationsThatAreForbidden() throws IOException {
    file("a.txt", text(1000));
    RawClient off = serve(options -> options.compressedFileBytesMax(0));
    RawClient forbidden = serve(options -> options.cacheControl("No-Transform, max-age=1"));
    RawClient tooLarge = serve(options -> options.compressedFileBytesMax(2000));

    for (RawClient client : new RawClient[] {off, forbidden, tooLarge}) {
      for (int i = 0; i < 3; i++) {
        RawResponse response = get(client, "/a.txt", GZIP);
        assertThat(response.header("Content-Encoding")).isNull();
        assertThat(response.header("Vary")).isNull(); // so none is made
      }
    }
  }

  /** Inside of Compression the form keeps its strong tag, in a 304 too. */
  @Test
  void keepsItsTagInsideOfCompression() throws IOException {
    file("a.txt", text(1000));
    Handler handler = Compression.of(files(root).build());
    RawClient client = servers.connect(servers.start(handler));
    RawResponse[] last = new RawResponse[1];
    Await.until(
        () -> "a strong tag: " + last[0],
        () -> {
          last[0] = get(client, "/a.txt", GZIP);
          return tag(last[0]).startsWith("\"");
        });

    assertThat(unzipped(last[0])).isEqualTo(text(1000));
    RawResponse unchanged = get(client, "/a.txt", GZIP, "If-None-Match: " + tag(last[0]));
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.header("ETag")).isEqualTo(tag(last[0]));
    assertThat(Objects.requireNonNull(unchanged.header("Vary"))).isEqualTo("Accept-Encoding");
  }

  /** The files of a flood wait in a bounded queue; each is compressed at most once. */
  @Test
  void compressesAFloodOfFilesOneAfterTheOtherWithinBounds() throws IOException {
    int files = FileCompressor.WAITING_MAX + 20;
    for (int i = 0; i < files; i++) {
      file("f" + i + ".txt", text(50));
    }
    Gate gate = new Gate();
    RawClient client = serve(options -> options.compression(gate));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < files; i++) {
        assertThat(get(client, "/f" + i + ".txt", GZIP).text()).isEqualTo(text(50));
      }
    }
    assertThat(gate.begun.get()).isLessThanOrEqualTo(1);
    gate.opened.countDown();

    for (int i = 0; i < files; i++) {
      assertThat(unzipped(awaitCompressed(client, "/f" + i + ".txt"))).isEqualTo(text(50));
    }
    assertThat(gate.begun).hasValue(files);
  }
}
