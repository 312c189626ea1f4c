package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.RunItPage;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Checks docs/SECURITY.md against the code: the tests, an answer in every row, and the limits of
 * forms with their defaults; and likewise the limits of docs/RUN-IT.md.
 */
final class SecurityTableTest {
  private static final int ROWS = 45;
  private static final int HTTP2_ROWS = 33;
  private static final int WEBSOCKET_ROWS = 8;
  private static final Pattern ROW = Pattern.compile("^\\| T(\\d+)(?:-T(\\d+))? \\|");

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Repository.root().resolve("docs").resolve("SECURITY.md"));
  }

  @Test
  void namesTestsThatExist() throws IOException {
    DocumentedTests tests = DocumentedTests.load();

    assertThat(lines().stream().flatMap(line -> tests.missing(line).stream())).isEmpty();
  }

  @Test
  void answersEveryRow() throws IOException {
    List<Integer> answered = new ArrayList<>();
    for (String line : lines()) {
      for (MatchResult row : ROW.matcher(line).results().toList()) {
        int first = Integer.parseInt(row.group(1));
        int last = row.group(2) == null ? first : Integer.parseInt(row.group(2));
        IntStream.rangeClosed(first, last).forEach(answered::add);
        assertThat(line).matches(SecurityTableTest::isShownOrDoesNotApply);
      }
    }
    assertThat(answered).containsExactlyElementsOf(IntStream.rangeClosed(1, ROWS).boxed().toList());
  }

  @Test
  void answersEveryRowOfHttp2() throws IOException {
    assertAnswered("H", HTTP2_ROWS);
  }

  @Test
  void answersEveryRowOfWebSocket() throws IOException {
    assertAnswered("W", WEBSOCKET_ROWS);
  }

  private static void assertAnswered(String letter, int count) throws IOException {
    Pattern row = Pattern.compile("^\\| " + letter + "\\d+ \\|");
    List<String> rows = lines().stream().filter(line -> row.matcher(line).find()).toList();

    assertThat(rows).hasSize(count).allMatch(DocumentedTests::namesOne);
    for (int i = 0; i < count; i++) {
      assertThat(rows.get(i)).startsWith("| " + letter + (i + 1) + " |");
    }
  }

  private static boolean isShownOrDoesNotApply(String row) {
    return DocumentedTests.namesOne(row)
        || row.contains("not applicable yet")
        || row.contains("every test of the package");
  }

  @Test
  void listsEveryLimitWithItsDefault() throws Exception {
    for (RecordComponent limit : ServerLimits.class.getRecordComponents()) {
      if (!limit.getType().isRecord()) {
        assertTold(limit.getName(), limit.getAccessor().invoke(ServerLimits.DEFAULT));
      }
    }
    for (RecordComponent limit : ParserLimits.class.getRecordComponents()) {
      assertTold("parser." + limit.getName(), limit.getAccessor().invoke(ParserLimits.DEFAULT));
    }
    for (RecordComponent limit : WebSocketLimits.class.getRecordComponents()) {
      assertTold(
          "webSocket." + limit.getName(), limit.getAccessor().invoke(WebSocketLimits.DEFAULT));
    }
    for (RecordComponent limit : Http2Limits.class.getRecordComponents()) {
      assertTold("http2." + limit.getName(), limit.getAccessor().invoke(Http2Limits.DEFAULT));
    }
  }

  @Test
  void listsEveryLimitOfFormsWithItsDefault() throws Exception {
    for (RecordComponent limit : MultipartLimits.class.getRecordComponents()) {
      Object value = limit.getAccessor().invoke(MultipartLimits.DEFAULTS);
      assertThat(lines())
          .as(limit.getName())
          .anyMatch(
              line ->
                  line.startsWith("| `MultipartLimits.") && isTold(line, limit.getName(), value));
    }
  }

  private static void assertTold(String name, Object value) {
    assertThat(RunItPage.text().lines())
        .as(name)
        .anyMatch(line -> line.startsWith("| ") && isTold(line, "`" + name, value));
  }

  private static boolean isTold(String row, String name, Object value) {
    String[] cells = row.split("\\|", -1);
    return cells[1].contains(name + "`") && cells[2].contains(text(value));
  }

  private static String text(Object value) {
    if (value instanceof Duration time) {
      return time.toSecondsPart() == 0 && time.toMillis() < 1000
          ? time.toMillis() + " ms"
          : time.toSeconds() + " s";
    }
    long number = ((Number) value).longValue();
    return number == 0 ? "unlimited" : String.format(Locale.ROOT, "%,d", number);
  }
}
