package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.NativeHeads;

/** Something that parses all heads of a corpus, so many times over. */
interface Contender {
  String name();

  /** Whether it is one of ours, to be held against the others. */
  boolean isOurs();

  /**
   * Parses.
   *
   * @return the number of field lines seen in all rounds, or -1 if a head wasn't accepted
   */
  long run(NativeHeads heads, long rounds);
}
