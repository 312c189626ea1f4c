package dev.peregrine.http;

/** Stands here only until the package has its first type; delete it then. */
final class Placeholder {
  private Placeholder() {}
}
