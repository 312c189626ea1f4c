package dev.peregrine.http;

import java.net.URI;
import java.net.URISyntaxException;

/** Checks of redirects. */
final class Redirects {
  private Redirects() {}

  static HttpStatus check(HttpStatus status) {
    return switch (status) {
      case MOVED_PERMANENTLY, FOUND, SEE_OTHER, TEMPORARY_REDIRECT, PERMANENT_REDIRECT -> status;
      default -> throw new IllegalArgumentException("not a redirect: " + status);
    };
  }

  /**
   * Returns a reference in the form in which it is sent. The exception doesn't repeat an invalid
   * one, because it is often a client's.
   */
  static String check(String location) {
    try {
      return new URI(location).toASCIIString();
    } catch (URISyntaxException notOne) {
      throw new IllegalArgumentException(
          "not a URI reference: " + notOne.getReason() + " at index " + notOne.getIndex());
    }
  }
}
