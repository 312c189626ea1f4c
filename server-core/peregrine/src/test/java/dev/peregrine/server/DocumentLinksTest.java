package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links of the documents to files of the repository and to their headings. */
final class DocumentLinksTest {
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!\\w+:)([^)\\s#]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ID = Pattern.compile("(?:id|name)=\"([^\"]+)\"");

  @Test
  void leadToFilesAndHeadingsThatExist() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path document : documents()) {
      Matcher links = LINK.matcher(Files.readString(document));
      while (links.find()) {
        Path target = links.group(1).isEmpty() ? document : document.resolveSibling(links.group(1));
        String heading = links.group(2);
        boolean leads =
            Files.exists(target)
                && (heading == null
                    || !target.toString().endsWith(".md")
                    || headings(target).contains(heading));
        if (!leads) {
          dead.add(document.getFileName() + " " + links.group());
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("", "docs")) {
      int depth = folder.isEmpty() ? 1 : Integer.MAX_VALUE;
      try (Stream<Path> files = Files.walk(Repository.root().resolve(folder), depth)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
      }
    }
    return found;
  }

  /** Returns the names of the headings, as GitHub makes them, and of the marks between them. */
  private static Set<String> headings(Path document) throws IOException {
    String text = Files.readString(document);
    Stream<String> headings =
        HEADING
            .matcher(text)
            .results()
            .map(match -> match.group(1).toLowerCase(Locale.ROOT))
            .map(title -> title.replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-'));
    Stream<String> marks = ID.matcher(text).results().map(match -> match.group(1));
    return Stream.concat(headings, marks).collect(Collectors.toSet());
  }
}
