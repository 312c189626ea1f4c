package dev.peregrine.parser.hpack;

/** An error of the compression that the reference decoder has found. */
final class HpackException extends Exception {
  private static final long serialVersionUID = 1;

  HpackException(String message) {
    super(message);
  }
}
