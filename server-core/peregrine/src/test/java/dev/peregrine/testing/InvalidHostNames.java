package dev.peregrine.testing;

import java.util.List;

/** Names that a client can send in its ClientHello and that are no host names. */
public final class InvalidHostNames {
  private InvalidHostNames() {}

  public static List<String> all() {
    return List.of(
        "",
        ".",
        ".a",
        "a..",
        "a..b",
        "b\u00fccher.example",
        "a b",
        "a/b",
        "a,b",
        "a%00",
        "a\u0000b",
        "a\u0000.example",
        "*.a",
        "*.example",
        "a:1",
        "a:443",
        "::1",
        "[::1]",
        "2001:db8::1");
  }
}
