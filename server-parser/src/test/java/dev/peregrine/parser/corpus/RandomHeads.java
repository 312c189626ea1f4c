package dev.peregrine.parser.corpus;

import dev.peregrine.protocol.KnownHeader;
import java.util.Locale;
import java.util.Random;

/** Random heads: mostly valid ones with many rare elements, and damaged ones. */
public final class RandomHeads {
  private static final KnownHeader[] KNOWN = KnownHeader.values();
  private static final String NAME_CHARS = "abcdefghijklmnopqrstuvwxyzABCXYZ--__0129!#$%&'*+.^`|~";
  private static final String TARGET_CHARS = "abcxyzABC019/////??&=%-._~!$'()*+,;:@";
  private static final String BREAKERS =
      "\r\n\r\n\r\n\t \u0000\u0001\u001f\u007f\u0080\u00ff::,;()<>@\"/[]?={}\\^`|~#%_-.0aZ";

  private final Random random;

  public RandomHeads(long seed) {
    random = new Random(seed);
  }

  /** A head that is valid more often than not. */
  public String next() {
    var head = new StringBuilder();
    if (random.nextInt(20) == 0) {
      head.append("\r\n".repeat(random.nextInt(4)));
    }
    head.append(
        oneOf("GET", "GET", "POST", "HEAD", "OPTIONS", "PATCH", "DELETE", "X-Y", "CONNECT"));
    head.append(' ').append(target()).append(' ');
    head.append(oneOf("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/1.3"));
    head.append("\r\n");
    int host = random.nextInt(4);
    for (int line = random.nextInt(12); line >= 0; line--) {
      if (line == host) {
        head.append(oneOf("Host: a", "host:b:80", "HOST: \texample.com ", "Host: [::1]"))
            .append("\r\n");
      }
      head.append(name()).append(':').append(value()).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  /** The head with up to three bytes replaced, added or taken away, or cut short. */
  public String damaged(String head) {
    var damaged = new StringBuilder(head);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(damaged.length());
      char breaker = BREAKERS.charAt(random.nextInt(BREAKERS.length()));
      switch (random.nextInt(5)) {
        case 0 -> damaged.insert(at, breaker);
        case 1 -> damaged.deleteCharAt(at);
        case 2 -> damaged.insert(at, "\r\n");
        default -> damaged.setCharAt(at, breaker);
      }
      if (damaged.isEmpty()) {
        return head;
      }
    }
    if (random.nextInt(8) == 0) {
      damaged.setLength(random.nextInt(damaged.length()) + 1);
    }
    return damaged.toString();
  }

  /** Places to cut a head into at most six pieces. */
  public int[] cuts(int length) {
    return random.ints(random.nextInt(6), 0, length + 1).sorted().toArray();
  }

  /** Returns a number from 0 to bound - 1. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  private String target() {
    return switch (random.nextInt(12)) {
      case 0 -> "http://" + oneOf("a", "[::1]", "b:81", "u@c", "") + oneOf("", "/", "/p?q", "?q");
      case 1 -> oneOf("*", "a:80", "a", "/%41%zz", "/[", "/%C3%A9");
      default ->
          "/"
              + chars(TARGET_CHARS, random.nextInt(random.nextInt(5) == 0 ? 200 : 40))
                  .replace("%", "%4a");
    };
  }

  private String name() {
    if (random.nextInt(3) > 0) {
      String name = KNOWN[random.nextInt(KNOWN.length)].fieldName();
      return name.equals("Host")
          ? "Hos"
          : random.nextInt(4) == 0 ? name.toUpperCase(Locale.ROOT) : name;
    }
    return chars(NAME_CHARS, 1 + random.nextInt(random.nextInt(6) == 0 ? 90 : 20));
  }

  private String value() {
    var value = new StringBuilder(oneOf(" ", " ", " ", "", "\t", "  \t "));
    switch (random.nextInt(10)) {
      case 0 ->
          value.append(
              oneOf("keep-alive", "close", "Upgrade", "chunked", "100-continue", "0", "42"));
      case 1 -> value.append("v".repeat(random.nextInt(200)));
      case 2 -> value.append(oneOf("a\tb", "\u00e9t\u00e9", "::", "", "a:b"));
      default -> value.append(chars(" abcdefgh/;=,.:-_\"()", random.nextInt(60)));
    }
    return value.append(oneOf("", "", "", " ", "\t ")).toString();
  }

  private String chars(String from, int count) {
    var chars = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      chars.append(from.charAt(random.nextInt(from.length())));
    }
    return chars.toString();
  }

  private String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
