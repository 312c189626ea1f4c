package dev.peregrine.server.handover;

/**
 * The words that the messages of a hand-over begin with.
 *
 * <pre>
 *   new process                         old process
 *      take 1              ──▶
 *                          ◀──   socket (index) own|shared (name) each with its descriptor
 *                          ◀──   path                             with the hand-over socket itself
 *                          ◀──   end (count)
 *      ready               ──▶                                    it accepts connections
 *                          ◀──   done                             the old one has stopped accepting
 * </pre>
 *
 * <p>{@code refused REASON} in place of a message of the old process ends the hand-over.
 */
final class HandOverWords {
  static final String TAKE = "take 1"; // with the version of this protocol
  static final String SOCKET = "socket ";
  static final String PATH = "path";
  static final String END = "end ";
  static final String READY = "ready";
  static final String DONE = "done";
  static final String REFUSED = "refused ";

  private HandOverWords() {}
}
