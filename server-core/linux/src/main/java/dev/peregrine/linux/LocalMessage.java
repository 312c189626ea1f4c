package dev.peregrine.linux;

import java.util.List;

/**
 * A message that a {@link LocalSocket} has received.
 *
 * @param text the message; empty at the end of the stream
 * @param descriptors the descriptors that came with it, which belong to the receiver
 */
public record LocalMessage(String text, List<Integer> descriptors) {
  static final LocalMessage END = new LocalMessage("", List.of());

  /** Returns true if the peer sends no more, because it has closed the socket or has ended. */
  public boolean isEnd() {
    return text.isEmpty();
  }

  /** Closes the descriptors. */
  public void discard() {
    Kernel kernel = new Kernel();
    descriptors.forEach(kernel::close);
  }
}
