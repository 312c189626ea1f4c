package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client behind a trusted proxy sends whatever fields it likes; the proxy adds the client's
 * address at the end. Nothing of it gets the client more requests than its own bucket and that of
 * the proxy have, into which it can only put itself by making the field unreadable.
 */
final class RateLimitSpoofingIT {
  private static final int QUOTA = 3;
  private static final int ATTACKS = Integer.getInteger("peregrine.test.attacks", 300);
  private static final long SEED = Long.getLong("peregrine.test.seed", 7);

  private static final String[] PIECES = {
    "192.0.2.",
    "198.51.100.4",
    "127.0.0.1",
    "::1",
    "[2001:db8::1]",
    "2001:db8::",
    ":80",
    "unknown",
    "_hidden",
    ",",
    ", ",
    ";",
    "=",
    "\"",
    "\\",
    "for",
    "for=",
    "For=\"",
    "by=",
    "proto=https",
    "host=a",
    "[",
    "]",
    " ",
    "\t",
    "10.0.0.1",
    "%00",
    "0x7f.1",
    "127.1",
    "::ffff:127.0.0.1",
    "'"
  };
  private static final String[] NAMES = {
    "X-Forwarded-For",
    "x-forwarded-for",
    "Forwarded",
    "X-Real-IP",
    "X-Client-IP",
    "Via",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-For ",
    "X_Forwarded_For",
    "Host"
  };

  @RegisterExtension final Servers servers = new Servers();

  private final SplittableRandom random = new SplittableRandom(SEED);

  private String junk() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
      if (random.nextInt(3) == 0) {
        text.append(random.nextInt(256));
      }
    }
    return text.toString().strip();
  }

  private List<String> fields(String name, String added) {
    List<String> fields = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      fields.add(NAMES[random.nextInt(NAMES.length)] + ": " + junk());
    }
    boolean appended = random.nextBoolean(); // to the client's line, or as a line of its own
    fields.add(name + ": " + (appended ? junk() + ", " + added : added));
    for (int i = random.nextInt(2); i > 0; i--) {
      fields.add("X-" + random.nextInt(9) + ": " + junk());
    }
    return fields;
  }

  /**
   * Returns the status; 400 for a stream of HTTP/2 that is reset, because its head is malformed.
   */
  private static int status(RawClient client) {
    try {
      return client.read().status();
    } catch (UncheckedIOException reset) {
      assertThat(Servers.HTTP_2).isTrue();
      return 400;
    }
  }

  /** Returns how many requests pass. */
  private int attack(TrustedProxies proxies, String name, Supplier<String> added) {
    Handler limit =
        RateLimit.builder((request, response) -> response.text("ok"))
            .requests(QUOTA, Duration.ofHours(1))
            .build();
    HttpServer server = servers.start(limit, options -> options.trustedProxies(proxies));
    int passed = 0;
    int limited = 0;
    RawClient client = servers.connect(server);
    for (int i = 0; i < ATTACKS; i++) {
      List<String> lines = new ArrayList<>(List.of("GET / HTTP/1.1", "Host: test"));
      lines.addAll(fields(name, added.get()));
      int status = status(client.send(Requests.lines(lines.toArray(String[]::new))));
      passed += status == 200 ? 1 : 0;
      limited += status == 429 ? 1 : 0;
      if (status != 200 && status != 429) {
        assertThat(status).as("%s", lines).isEqualTo(400);
        client.close();
        client = servers.connect(server);
      }
    }
    assertThat(limited).isGreaterThan(ATTACKS / 4);
    return passed;
  }

  private static TrustedPeers here() {
    return TrustedPeers.of("127.0.0.1");
  }

  @Test
  void xForwardedForGetsNoMoreThanTwoBuckets() {
    int passed =
        attack(TrustedProxies.xForwardedFor(here()), "X-Forwarded-For", () -> "192.0.2.77");
    assertThat(passed).isBetween(QUOTA, 2 * QUOTA);
  }

  @Test
  void forwardedGetsNoMoreThanTwoBuckets() {
    int passed = attack(TrustedProxies.forwarded(here()), "Forwarded", () -> "for=192.0.2.77");
    assertThat(passed).isBetween(QUOTA, 2 * QUOTA);
  }

  @Test
  void allAddressesOfASubscriberOfIpv6GetNoMoreThanTwoBuckets() {
    int passed =
        attack(
            TrustedProxies.forwarded(here()),
            "Forwarded",
            () ->
                String.format(
                    random.nextBoolean()
                        ? "for=\"[2001:db8:0:7::%x]\""
                        : "For=\"[2001:0DB8:0000:0007:1:2:3:%X]:443\"",
                    random.nextInt(0x10000)));
    assertThat(passed).isBetween(QUOTA, 2 * QUOTA);
  }
}
