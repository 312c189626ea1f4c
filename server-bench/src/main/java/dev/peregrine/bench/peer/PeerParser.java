package dev.peregrine.bench.peer;

/** Another server's parser, set up for one corpus. */
interface PeerParser {
  /** Parses all heads of the corpus; returns the number of fields it has seen. */
  long parseAll() throws Exception;
}
