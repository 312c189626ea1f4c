package dev.peregrine.parser;

import dev.peregrine.protocol.HttpMethod;

/** Lets benchmarks measure {@link Methods}. */
public final class MethodsAccess {
  private MethodsAccess() {}

  /** The ordinal of the {@link HttpMethod} that these eight bytes start with, and a space. */
  public static int find(long word) {
    return Methods.find(word);
  }
}
