package dev.peregrine.spring.boot.java;

/** The application runs on a Java that Peregrine can't run on. */
@SuppressWarnings("serial")
final class OlderJavaException extends RuntimeException {
  OlderJavaException(int feature) {
    super(
        "Peregrine needs Java "
            + JavaVersionCheck.LEAST
            + " or later, but this is Java "
            + feature
            + ", of "
            + System.getProperty("java.home"));
  }
}
