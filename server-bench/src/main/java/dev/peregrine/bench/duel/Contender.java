package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.NativeHeads;

/** A parser of all heads of a corpus, for a number of rounds. */
interface Contender {
  String name();

  /** Returns true if it is one of ours, which is compared with the others. */
  boolean isOurs();

  /**
   * Parses.
   *
   * @return the number of field lines seen in all rounds, or -1 if a head wasn't accepted
   */
  long run(NativeHeads heads, long rounds);
}
