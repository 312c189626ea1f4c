package dev.peregrine.parser.body;

/** Stands here only until the package has its first type; delete it then. */
final class Placeholder {
  private Placeholder() {}
}
