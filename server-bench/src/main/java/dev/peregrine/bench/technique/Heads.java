package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import java.util.List;

/** The heads of a corpus, one after the other, without end. */
final class Heads {
  private final Input input;
  private final List<String> texts;
  private final long[] starts;
  private final int[] lengths;
  private int next;

  private Heads(Corpus corpus) {
    input = Input.of(corpus.bytes());
    texts = corpus.heads();
    starts = new long[texts.size()];
    lengths = new int[texts.size()];
    long at = input.from();
    for (int i = 0; i < starts.length; i++) {
      starts[i] = at;
      lengths[i] = texts.get(i).length();
      at += lengths[i];
    }
  }

  static Heads named(String corpus) {
    return new Heads(Corpus.named(corpus));
  }

  Input input() {
    return input;
  }

  int count() {
    return starts.length;
  }

  String text(int head) {
    return texts.get(head);
  }

  long start(int head) {
    return starts[head];
  }

  int length(int head) {
    return lengths[head];
  }

  /** Returns the number of the next head. */
  int next() {
    int head = next;
    next = head + 1 == starts.length ? 0 : head + 1;
    return head;
  }
}
