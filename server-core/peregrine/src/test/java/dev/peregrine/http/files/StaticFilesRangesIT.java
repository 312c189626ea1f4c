package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for parts of a file. */
final class StaticFilesRangesIT extends ServedFiles {
  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin"})
  void sendsOneRange(String target) {
    RawClient client = serve();
    byte[] whole = get(client, target).content();
    int size = whole.length;

    for (int[] range : new int[][] {{0, 0}, {0, 4}, {5, size - 1}, {size - 1, size - 1}}) {
      String spec = range[0] + "-" + range[1];
      RawResponse response = get(client, target, "Range: bytes=" + spec);
      assertThat(response.status()).isEqualTo(206);
      assertThat(response.header("Content-Range")).isEqualTo("bytes " + spec + "/" + size);
      assertThat(response.content()).isEqualTo(Arrays.copyOfRange(whole, range[0], range[1] + 1));
    }
    assertThat(get(client, target, "Range: bytes=-3").content())
        .isEqualTo(Arrays.copyOfRange(whole, size - 3, size));
    assertThat(get(client, target, "Range: bytes=3-").content())
        .isEqualTo(Arrays.copyOfRange(whole, 3, size));
    assertThat(get(client, target, "Range: bytes=0-5,3-9").header("Content-Range"))
        .isEqualTo("bytes 0-9/" + size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin"})
  void sendsSeveralRanges(String target) {
    RawClient client = serve();
    byte[] whole = get(client, target).content();
    int size = whole.length;

    RawResponse response = get(client, target, "Range: bytes=-2,0-1,4-6");

    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Content-Range")).isNull();
    String type = Objects.requireNonNull(response.header("Content-Type"));
    assertThat(type).startsWith("multipart/byteranges; boundary=");
    String boundary = type.substring(type.indexOf('=') + 1);
    String partType = String.valueOf(get(client, target).header("Content-Type"));
    byte[][] expected = {
      part(boundary, partType, whole, size - 2, size),
      part(boundary, partType, whole, 0, 2),
      part(boundary, partType, whole, 4, 7),
      Requests.bytes("--" + boundary + "--\r\n")
    };
    assertThat(response.content()).isEqualTo(Requests.join(expected));
    assertThat(get(client, "/hello.txt").status()).isEqualTo(200);
  }

  private static byte[] part(String boundary, String type, byte[] whole, int from, int to) {
    String head =
        "--%s\r\nContent-Type: %s\r\nContent-Range: bytes %d-%d/%d\r\n\r\n"
            .formatted(boundary, type, from, to - 1, whole.length);
    return Requests.join(
        Requests.bytes(head), Arrays.copyOfRange(whole, from, to), Requests.bytes("\r\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin", "/empty.txt"})
  void rejectsRangesAfterTheEnd(String target) {
    RawClient client = serve();
    int size = get(client, target).content().length;

    for (String range : List.of("bytes=" + size + "-", "bytes=-0", "bytes=999999999-,-0")) {
      RawResponse response = get(client, target, "Range: " + range);
      assertThat(response.status()).as(range).isEqualTo(416);
      assertThat(response.header("Content-Range")).isEqualTo("bytes */" + size);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=x", "bytes=5-1", "lines=0-1", "bytes=0-0,"})
  void ignoresRangesThatAreMalformedOrTooMany(String range) {
    String many = range.endsWith(",") ? range + "2-2,".repeat(50) : range;

    RawResponse response = get(serve(), "/hello.txt", "Range: " + many);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("Hello, files!");
  }
}
