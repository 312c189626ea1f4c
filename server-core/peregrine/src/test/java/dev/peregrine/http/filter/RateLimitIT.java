package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.testing.AllocationProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limited rates, over sockets, by a clock that stands still unless a test moves it. */
final class RateLimitIT {
  private static final Handler OK = (request, response) -> response.text("ok");

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicLong nanos = new AtomicLong(-5);

  private RateLimit.Builder limit(int count) {
    return RateLimit.builder(OK).requests(count, Duration.ofMinutes(1)).clock(nanos::get);
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private static int ask(RawClient client, String... fields) {
    return get(client, fields).status();
  }

  private static RawResponse get(RawClient client, String... fields) {
    String[] lines = new String[fields.length + 2];
    lines[0] = "GET / HTTP/1.1";
    lines[1] = "Host: test";
    System.arraycopy(fields, 0, lines, 2, fields.length);
    return client.send(Requests.lines(lines)).read();
  }

  @Test
  void rejectsWithTheTimeToWaitAndServesAfterIt() {
    RateLimit limit = limit(3).build();
    RawClient client = servers.connect(servers.start(limit));

    for (int i = 0; i < 3; i++) {
      RawResponse served = get(client);
      assertThat(served.status()).isEqualTo(200);
      assertThat(served.header("RateLimit")).isNull();
    }
    RawResponse rejected = get(client);
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(rejected.header("Retry-After")).isEqualTo("20");
    assertThat(rejected.header("RateLimit-Policy")).isEqualTo("\"default\";q=3;w=60");
    assertThat(rejected.header("RateLimit")).isEqualTo("\"default\";r=0;t=20");
    assertThat(limit.rejected()).isEqualTo(1);

    pass(19);
    assertThat(get(client).header("Retry-After")).isEqualTo("1");
    pass(1);
    assertThat(ask(client)).isEqualTo(200);
    assertThat(ask(client)).isEqualTo(429);
    pass(60);
    assertThat(new int[] {ask(client), ask(client), ask(client), ask(client)})
        .containsExactly(200, 200, 200, 429);
  }

  @Test
  void reportsTheTokensThatAreLeftAndWhenThereIsOneMore() {
    RawClient client =
        servers.connect(servers.start(limit(3).burst(2).name("my API").reported(true).build()));

    RawResponse first = get(client);
    assertThat(first.header("RateLimit-Policy")).isEqualTo("\"my API\";q=3;w=60");
    assertThat(first.header("RateLimit")).isEqualTo("\"my API\";r=1;t=20");
    pass(5);
    assertThat(get(client).header("RateLimit")).isEqualTo("\"my API\";r=0;t=15");
    RawResponse rejected = get(client);
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(rejected.headers("RateLimit")).containsExactly("\"my API\";r=0;t=15");
    assertThat(rejected.header("Retry-After")).isEqualTo("15");
  }

  @Test
  void limitsInsideOneAnotherReportTheirOwn() {
    RateLimit inner = limit(1).name("inner").reported(true).build();
    RateLimit outer =
        RateLimit.builder(inner)
            .requests(100, Duration.ofMillis(1500))
            .name("outer")
            .reported(true)
            .clock(nanos::get)
            .build();
    RawClient client = servers.connect(servers.start(outer));

    for (int status : new int[] {200, 429}) {
      RawResponse response = get(client);
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.headers("RateLimit-Policy"))
          .containsExactly("\"outer\";q=100;w=2", "\"inner\";q=1;w=60");
      assertThat(response.headers("RateLimit"))
          .containsExactly(
              "\"outer\";r=" + (status == 200 ? 99 : 98) + ";t=1", "\"inner\";r=0;t=60");
    }
  }

  @Test
  void countsTheRequestsOfAClientOnAllOfItsConnections() {
    var server = servers.start(limit(2).build());

    assertThat(ask(servers.connect(server))).isEqualTo(200);
    assertThat(ask(servers.connect(server))).isEqualTo(200);
    assertThat(ask(servers.connect(server))).isEqualTo(429);
  }

  /** Which of two clients share a bucket, as a trusted proxy reports them. */
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1, true",
    "192.0.2.1, 192.0.2.2, false",
    "192.0.2.1, ::ffff:192.0.2.1, true",
    "2001:db8:0:1::1, 2001:db8:0:1:ffff:ffff:ffff:ffff, true",
    "2001:db8:0:1::1, 2001:db8:0:2::1, false",
    "::c000:201:0:0:0:0, 192.0.2.1, false",
  })
  void tellsClientsApartByTheirAddresses(String one, String other, boolean same) {
    TrustedProxies proxies = TrustedProxies.xForwardedFor(TrustedPeers.of("127.0.0.1"));
    RawClient client =
        servers.connect(
            servers.start(limit(1).build(), options -> options.trustedProxies(proxies)));

    assertThat(ask(client, "X-Forwarded-For: " + one)).isEqualTo(200);
    assertThat(ask(client, "X-Forwarded-For: " + one)).isEqualTo(429);
    assertThat(ask(client, "X-Forwarded-For: " + other)).isEqualTo(same ? 429 : 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For: 192.0.2.9", "Forwarded: for=192.0.2.9", "X-Real-IP: 9"})
  void believesNoAddressOfAPeerThatIsNotTrusted(String field) {
    TrustedProxies others = TrustedProxies.xForwardedFor(TrustedPeers.of("10.0.0.0/8"));
    RawClient client =
        servers.connect(servers.start(limit(1).build(), options -> options.trustedProxies(others)));

    assertThat(ask(client)).isEqualTo(200);
    assertThat(ask(client, field)).isEqualTo(429);
  }

  @Test
  void limitsByANameAndWithoutOneByTheAddress() {
    RawClient client =
        servers.connect(servers.start(limit(1).by(request -> request.header("X-API-Key")).build()));

    assertThat(ask(client, "X-API-Key: a")).isEqualTo(200);
    assertThat(ask(client, "X-API-Key: a")).isEqualTo(429);
    assertThat(ask(client, "X-API-Key: b")).isEqualTo(200);
    assertThat(ask(client, "X-API-Key: BB")).isEqualTo(200);
    assertThat(ask(client, "X-API-Key: Aa")).isEqualTo(200); // of the same String.hashCode
    assertThat(ask(client)).isEqualTo(200);
    assertThat(ask(client)).isEqualTo(429);
  }

  @Test
  void servesAFloodOfNewNamesAndStillLimitsTheOldOne() {
    RawClient client =
        servers.connect(
            servers.start(
                limit(10).clientsMax(8).by(request -> request.header("X-API-Key")).build()));
    for (int i = 0; i < 10; i++) {
      assertThat(ask(client, "X-API-Key: old")).isEqualTo(200);
    }

    // More than there is memory for, which have tokens left because each uses one of ten.
    for (int i = 0; i < 200; i++) {
      assertThat(ask(client, "X-API-Key: new" + i)).isEqualTo(200);
      assertThat(ask(client, "X-API-Key: old")).isEqualTo(429);
    }
  }

  @Test
  void givesNoClientMoreThanItsLimitIfMoreThanThereIsMemoryForUseTheirsUp() {
    RawClient client =
        servers.connect(
            servers.start(
                limit(2).clientsMax(8).by(request -> request.header("X-API-Key")).build()));

    int served = 0;
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 200; i++) {
        served += ask(client, "X-API-Key: " + i) == 200 ? 1 : 0;
      }
    }
    assertThat(served).isPositive().isLessThanOrEqualTo(200 * 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
  void allocatesNothingForARequestThatPasses(String address) throws Exception {
    assumeTrue(!Servers.HTTP_2, "the gateway sends one request at a time");
    byte[] content = Requests.bytes("ok");
    InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName(address), 1);
    ClientKeys keys = new ClientKeys(null, 64);
    AtomicLong sum = new AtomicLong();
    RateLimit limit =
        RateLimit.builder((request, response) -> response.send(content))
            .requests(1_000_000, Duration.ofMillis(1))
            .build();
    AllocationProbe probe =
        new AllocationProbe(
            (request, response) -> {
              sum.setPlain(sum.getPlain() + keys.numberOf(remote));
              limit.handle(request, response);
            });
    RawClient client = servers.connect(servers.start(probe));

    probe.awaitNothing(client, Requests.get("/x/first"), Requests.get("/x/second"));
  }

  @Test
  void rejectsOptionsOutOfRange() {
    RateLimit.Builder builder = RateLimit.builder(OK);
    assertThatIllegalArgumentException().isThrownBy(() -> builder.requests(0, Duration.ofDays(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.requests(1, Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.requests(1, Duration.ofDays(2)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.burst(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.clientsMax(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.ipv6PrefixBits(65));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.name("a\"b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.requests(1, Duration.ofDays(1)).burst(1_000_000).build())
        .withMessageContaining("burst");
  }
}
