package dev.peregrine.http;

import java.net.URI;
import java.net.URISyntaxException;

/** What a redirect may say. */
final class Redirects {
  private Redirects() {}

  static HttpStatus check(HttpStatus status) {
    return switch (status) {
      case MOVED_PERMANENTLY, FOUND, SEE_OTHER, TEMPORARY_REDIRECT, PERMANENT_REDIRECT -> status;
      default -> throw new IllegalArgumentException("not a redirect: " + status);
    };
  }

  /** A reference as it is sent; what isn't one is often a client's, and not for the log. */
  static String check(String location) {
    try {
      return new URI(location).toASCIIString();
    } catch (URISyntaxException notOne) {
      throw new IllegalArgumentException(
          "not a URI reference: " + notOne.getReason() + " at index " + notOne.getIndex());
    }
  }
}
