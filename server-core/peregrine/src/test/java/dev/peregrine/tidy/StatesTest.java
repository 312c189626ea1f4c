package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Drawings of states over classes show what the code names: a state in capitals occurs in the code
 * of its file, and a method on an arrow somewhere in the code.
 */
final class StatesTest {
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
  private static final Pattern DRAWING = Pattern.compile("<pre>(.*?)</pre>", Pattern.DOTALL);
  private static final Pattern ARROW = Pattern.compile("[─▶◀▼▲]");

  /** The text on an arrow. */
  private static final Pattern LABEL = Pattern.compile("(?<=[─┤├└┌])[^─│▶◀▲▼\n]+(?=[─▶])");

  private static final Pattern STATE = Pattern.compile("\\b[A-Z][A-Z_0-9]{2,}\\b");
  private static final Pattern METHOD = Pattern.compile("\\b[a-z]+[A-Z]\\w*");

  @Test
  void drawsOnlyStatesAndMethodsThatTheCodeHas() throws Exception {
    TreeMap<String, Set<String>> missing = new TreeMap<>();
    int drawings = 0;
    List<Path> files = MainCode.files();
    Set<String> methods = new HashSet<>();
    for (Path file : files) {
      matches(METHOD, code(Files.readString(file))).forEach(method -> methods.add(method.group()));
    }
    for (Path file : files) {
      String text = Files.readString(file);
      Set<String> names = names(text);
      if (!names.isEmpty()) {
        drawings++;
        Set<String> absent = absent(names, text);
        absent.removeAll(methods);
        if (!absent.isEmpty()) {
          missing.put(String.valueOf(file.getFileName()), absent);
        }
      }
    }

    assertThat(drawings).isGreaterThan(10);
    assertThat(missing).as("names in a drawing that the code doesn't have").isEmpty();
  }

  @Test
  void findsAStateAndAMethodThatAreMissing() {
    String text =
        """
        /**
         * <pre>
         *   OPEN ──closeAll, HEADERS──▶ HALF_OPEN ──── END ───▶ ENDED
         * </pre>
         */
        class T { int OPEN; // HALF_OPEN
        }
        """;

    assertThat(absent(names(text), text)).isEqualTo(Set.of("HALF_OPEN", "closeAll", "ENDED"));
  }

  private static Set<String> absent(Set<String> names, String text) {
    String code = code(text);
    Set<String> absent = new TreeSet<>(names);
    absent.removeIf(name -> Pattern.compile("\\b" + name + "\\b").matcher(code).find());
    return absent;
  }

  private static String code(String text) {
    return COMMENT.matcher(text).replaceAll(" ");
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    for (MatchResult comment : matches(COMMENT, text)) {
      for (MatchResult drawing : matches(DRAWING, comment.group())) {
        String drawn = drawing.group(1);
        if (ARROW.matcher(drawn).find()) {
          matches(STATE, LABEL.matcher(drawn).replaceAll(" ")).forEach(m -> names.add(m.group()));
          matches(METHOD, drawn).forEach(method -> names.add(method.group()));
        }
      }
    }
    return names;
  }

  private static List<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }
}
