package dev.peregrine.server.exchange;

/** What is asked of parts of files before they are sent. */
final class FileParts {
  private FileParts() {}

  static void check(long position, long count) {
    if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "not a part of a file: " + count + " bytes from " + position + " on");
    }
  }
}
