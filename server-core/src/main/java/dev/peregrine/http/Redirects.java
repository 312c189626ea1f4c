package dev.peregrine.http;

import java.net.URI;

/** What a redirect may say. */
final class Redirects {
  private Redirects() {}

  static HttpStatus check(HttpStatus status) {
    return switch (status) {
      case MOVED_PERMANENTLY, FOUND, SEE_OTHER, TEMPORARY_REDIRECT, PERMANENT_REDIRECT -> status;
      default -> throw new IllegalArgumentException("not a redirect: " + status);
    };
  }

  static String check(String location) {
    return URI.create(location).toASCIIString();
  }
}
