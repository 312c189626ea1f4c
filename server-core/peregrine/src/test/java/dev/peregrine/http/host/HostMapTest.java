package dev.peregrine.http.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostMapTest {
  private static final HostMap<String> HOSTS =
      HostMap.of(
          Map.of(
              "Example.org", "name",
              "*.example.org", "below",
              "api.example.org", "api",
              "*.dev.example.org", "dev",
              "xn--bcher-kva.example", "books",
              "absolute.example.", "absolute",
              "127.0.0.1", "IPv4",
              "[2001:db8::1]", "IPv6"));

  @ParameterizedTest
  @CsvSource({
    "example.org, name",
    "EXAMPLE.ORG, name",
    "example.org:8080, name",
    "example.org:, name",
    "example.org., name",
    "Example.Org.:443, name",
    "api.example.org, api",
    "API.example.org.:1, api",
    "www.example.org, below",
    "a.b.example.org, below",
    "x.api.example.org, below",
    "dev.example.org, below",
    "a.dev.example.org, dev",
    "xn--bcher-kva.example, books",
    "absolute.example, absolute",
    "127.0.0.1:80, IPv4",
    "[2001:db8::1], IPv6",
    "[2001:DB8::1]:443, IPv6",
    "[2001:db8:0:0:0::1], IPv6",
    "[2001:0db8::0001]:8080, IPv6",
  })
  void findsAHostInEachOfItsSpellings(String host, String expected) {
    assertThat(HOSTS.get(host)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":80",
        ".",
        ".example.org",
        "*",
        "org",
        "notexample.org",
        "example.org.evil.example",
        "example.org..",
        "..example.org",
        "a..example.org",
        "x,www.example.org",
        "www.example.org,x.example.org",
        "a%2eb.example.org",
        "%.example.org",
        "!$&'()*+;=.example.org",
        "example.org%2e",
        "%65xample.org",
        "127.0.0.1.example",
        "127.1",
        "2001:db8::1",
        "[2001:db8::2]",
        "[2001:db8::1",
        "[v1.x:y]",
        "[]",
        "[",
        "[::ffff:127.0.0.1]",
        "[www.example.org]",
      })
  void findsNothingForAnotherHost(String host) {
    assertThat(HOSTS.get(host)).isNull();
  }

  @Test
  void findsNothingWithoutAHost() {
    assertThat(HOSTS.get(null)).isNull();
    assertThat(HostMap.of(Map.of()).get("example.org")).isNull();
  }

  @Test
  void findsEachOfManyHosts() {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      numbers.put("host-" + i + ".example", i);
      numbers.put("*.host-" + i + ".example", -i);
    }
    HostMap<Integer> hosts = HostMap.of(numbers);

    for (int i = 0; i < 1000; i++) {
      assertThat(hosts.get("host-" + i + ".example")).isEqualTo(i);
      assertThat(hosts.get("a.host-" + i + ".example")).isEqualTo(-i);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "*.",
        ".example.org",
        "a..b",
        "example.org:80",
        "https://example.org",
        "example.org/path",
        "www.*.org",
        "*.*.org",
        "bücher.example",
        "2001:db8::1",
        "[2001:db8::1",
        "[fe80::1%eth0]",
        "[v1.x]",
        "*.[::1]",
      })
  void rejectsKeysOfAnotherForm(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostMap.of(Map.of(key, "")))
        .withMessageContaining("\"" + key + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "example.org, EXAMPLE.org",
    "example.org, example.org.",
    "*.a.example, *.A.example",
    "[::1], [0::1]",
  })
  void rejectsTwoSpellingsOfOneHost(String one, String other) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostMap.of(Map.of(one, "", other, "")))
        .withMessageContaining("two values");
  }
}
