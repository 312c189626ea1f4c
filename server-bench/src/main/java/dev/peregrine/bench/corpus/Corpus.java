package dev.peregrine.bench.corpus;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Request heads back to back, as pipelined requests without content lie in a buffer.
 *
 * @param name in lower case, usable as a file name
 * @param text the heads, one character per byte (Latin-1)
 */
public record Corpus(String name, String text) {
  private static final String HEAD_END = "\r\n\r\n";

  /** Returns the corpus of that name: one of {@link FixedHeads}, or the varied one. */
  public static Corpus named(String name) {
    if (name.equals(VariedHeads.NAME)) {
      return VariedHeads.corpus();
    }
    return FixedHeads.all().stream()
        .filter(corpus -> corpus.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no corpus is named " + name));
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the heads one by one, each with its final empty line. */
  public List<String> heads() {
    List<String> heads = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int end = text.indexOf(HEAD_END, from);
      if (end < 0) {
        throw new IllegalStateException(name + " ends within a head");
      }
      end += HEAD_END.length();
      heads.add(text.substring(from, end));
      from = end;
    }
    return heads;
  }
}
