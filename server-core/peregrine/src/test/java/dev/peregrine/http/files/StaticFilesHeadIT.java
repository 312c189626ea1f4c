package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HEAD describes the representation that GET sends (RFC 9110 section 9.3.2): around the length up
 * to which files are sent from memory, which compression may change, with files in other codings.
 */
final class StaticFilesHeadIT extends ServedFiles {
  private static final List<String> FIELDS =
      List.of(
          "Accept-Ranges",
          "Content-Encoding",
          "Content-Length",
          "Content-Range",
          "Content-Type",
          "ETag",
          "Last-Modified",
          "Transfer-Encoding",
          "Vary");
  private static final int CHANGES_MAX = 4;
  private static final List<Integer> LENGTHS = List.of(0, 1023, 1024, 65_535, 65_536, 65_537);
  private static final List<String> SUFFIXES = List.of(".txt", ".bin", "-br.txt", "-gz.txt");
  private static final List<String> CODINGS = List.of("identity", "gzip", "br", "gzip, br");

  @ParameterizedTest
  @CsvSource({
    "true, true, true",
    "true, true, false",
    "true, false, true",
    "true, false, false",
    "false, true, true",
    "false, true, false",
    "false, false, true",
    "false, false, false"
  })
  void describesTheFileThatGetSends(boolean compressed, boolean settled, boolean headFirst)
      throws IOException {
    Handler files = settled ? files(root).build() : StaticFiles.of(root);
    RawClient client = servers.connect(servers.start(compressed ? Compression.of(files) : files));
    for (String target : writeFiles()) {
      for (String coding : CODINGS) {
        String accepted = "Accept-Encoding: " + coding;
        if (headFirst) {
          ask(client, "HEAD", target, accepted);
        }
        expectSameFields(client, target, accepted);
        String tag = tag(get(client, target, accepted));
        expectSameFields(client, target, accepted, "If-None-Match: " + tag);
        expectSameFields(client, target, accepted, "If-Match: \"other\"");
      }
    }
  }

  private List<String> writeFiles() throws IOException {
    List<String> targets = new ArrayList<>();
    for (int length : LENGTHS) {
      for (String suffix : SUFFIXES) {
        file(length + suffix, text(length));
        targets.add("/" + length + suffix);
      }
      file(length + "-br.txt.br", text(length / 2 + 1));
      file(length + "-gz.txt.gz", text(length / 2 + 1));
    }
    return targets;
  }

  private static String text(int length) {
    return "Lorem ipsum ".repeat(length / 12 + 1).substring(0, length);
  }

  private static void expectSameFields(RawClient client, String target, String... fields) {
    List<Object> before;
    List<Object> head;
    List<Object> after;
    int changes = 0;
    do { // again if a file settles meanwhile, and gets a strong tag, or is compressed then
      before = description(get(client, target, fields));
      head = description(ask(client, "HEAD", target, fields));
      after = description(get(client, target, fields));
    } while (!before.equals(after) && changes++ < CHANGES_MAX);
    String request = target + ", " + String.join(", ", fields);
    assertThat(head).as(request).isEqualTo(before).isEqualTo(after);
  }

  private static List<Object> description(RawResponse response) {
    return List.of(response.status(), fields(response));
  }

  private static Map<String, List<String>> fields(RawResponse response) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (String name : FIELDS) {
      List<String> values = response.headers(name);
      if (!values.isEmpty() && !(Servers.HTTP_2 && name.equals("Transfer-Encoding"))) {
        fields.put(name, values);
      }
    }
    return fields;
  }
}
