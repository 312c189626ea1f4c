package dev.peregrine.server.conformance;

import dev.peregrine.server.conformance.CorpusCase.Answer;
import dev.peregrine.testing.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cases in {@code src/test/resources/corpus}. A file is a section of an RFC, or a kind of
 * attack:
 *
 * <pre>
 *   # A comment.
 *   [name-of-the-case]
 *   GET /a?b HTTP/1.1\r\n
 *   Host: example\r\n
 *   \r\n
 *   =&gt; 200 | GET /a ?b @example
 *   =&gt; 400 close
 * </pre>
 *
 * The bytes are the lines joined, with the escapes of {@link Escapes}; line ends in the file mean
 * nothing. Each {@code =>} is one response: its status; {@code head} if its content is left out;
 * {@code close} if it is the last; after a bar its content, see {@link CorpusHandler}. A single
 * {@code => waits} stands for no answer at all.
 */
final class Corpus {
  private static final String ANSWER = "=> ";

  private Corpus() {}

  static List<CorpusCase> load() {
    Path folder = Repository.root().resolve("server-core/peregrine/src/test/resources/corpus");
    List<CorpusCase> cases = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String section = file.getFileName().toString().replace(".txt", "");
        cases.addAll(parse(section, Files.readAllLines(file)));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Set<String> names = new HashSet<>();
    cases.forEach(
        one -> {
          if (!names.add(one.name())) {
            throw new IllegalStateException("two cases are called " + one.name());
          }
        });
    return cases;
  }

  private static List<CorpusCase> parse(String section, List<String> lines) {
    List<CorpusCase> cases = new ArrayList<>();
    Draft draft = null;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[")) {
        if (draft != null) {
          cases.add(draft.finish());
        }
        draft = new Draft(section + "/" + line.substring(1, line.indexOf(']')));
      } else if (draft == null) {
        throw new IllegalStateException(section + " doesn't begin with a name");
      } else {
        draft.add(line);
      }
    }
    if (draft != null) {
      cases.add(draft.finish());
    }
    return cases;
  }

  private static final class Draft {
    private final String name;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Answer> answers = new ArrayList<>();
    private boolean answered;

    Draft(String name) {
      this.name = name;
    }

    void add(String line) {
      if (!line.startsWith(ANSWER)) {
        if (answered) {
          throw new IllegalStateException(name + " has bytes behind its answers");
        }
        bytes.writeBytes(Escapes.bytes(line));
        return;
      }
      answered = true;
      if (!line.equals(ANSWER + "waits")) {
        answers.add(answer(line.substring(ANSWER.length())));
      }
    }

    private static Answer answer(String line) {
      int bar = line.indexOf(" | ");
      List<String> words = List.of((bar < 0 ? line : line.substring(0, bar)).trim().split(" "));
      @Nullable String text = bar < 0 ? null : line.substring(bar + " | ".length());
      Set<String> flags = new HashSet<>(words.subList(1, words.size()));
      boolean head = flags.remove("head");
      boolean close = flags.remove("close");
      if (!flags.isEmpty()) {
        throw new IllegalStateException("unknown words in: " + line);
      }
      return new Answer(Integer.parseInt(words.getFirst()), head, close, text);
    }

    CorpusCase finish() {
      if (!answered) {
        throw new IllegalStateException(name + " has no answer");
      }
      return new CorpusCase(
          name, bytes.toString(StandardCharsets.ISO_8859_1), List.copyOf(answers));
    }
  }
}
