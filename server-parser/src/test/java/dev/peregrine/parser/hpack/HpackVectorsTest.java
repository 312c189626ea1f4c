package dev.peregrine.parser.hpack;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Json;
import dev.peregrine.parser.Segments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The stories of hpack-test-case, if the system property {@value #FOLDER} names the folder with
 * them.
 */
@EnabledIfSystemProperty(named = HpackVectorsTest.FOLDER, matches = ".+")
class HpackVectorsTest {
  static final String FOLDER = "hpack.vectors";

  private static final int TABLE_BYTES = 16_384;

  private int stories;
  private int blocks;
  private int fields;

  @Test
  @SuppressWarnings("SystemOut") // the counts are the result of a run by hand
  void decodesEveryStory() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty(FOLDER)))) {
      files
          .filter(file -> file.getFileName().toString().matches("story_.*json"))
          .forEach(this::decodeStory);
    }
    assertThat(blocks).isPositive();
    System.out.printf("%d stories, %d blocks, %d fields%n", stories, blocks, fields);
  }

  private void decodeStory(Path story) {
    var decoder = new HpackDecoder(TABLE_BYTES);
    var decoded = new DecodedFields(1 << 20, 1000);
    boolean coded = false;
    for (Object block : cases(story)) {
      var members = (Map<?, ?>) block;
      if (members.get("wire") == null) {
        continue; // a story that isn't encoded
      }
      coded = true;
      MemorySegment wire =
          Segments.exact(HexFormat.of().parseHex((String) requireNonNull(members.get("wire"))));
      assertThat(decoder.decode(wire, 0, wire.byteSize(), decoded)).as("%s", story).isTrue();
      List<DecodedBlock.Field> actual = DecodedBlock.of(decoded, 0).fields();
      assertThat(actual.stream().map(field -> Map.of(field.name(), field.value())).toList())
          .as("%s %s", story, members.get("seqno"))
          .isEqualTo(members.get("headers"));
      blocks++;
      fields += actual.size();
    }
    stories += coded ? 1 : 0;
  }

  private static List<?> cases(Path story) {
    try {
      var root = (Map<?, ?>) requireNonNull(Json.read(Files.readString(story)));
      return (List<?>) requireNonNull(root.get("cases"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
