package dev.peregrine.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.base.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TrustedPeersTest {
  private static InetAddress address(String literal) {
    return Objects.requireNonNull(IpLiteral.parse(literal));
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8,10.0.0.0",
    "10.0.0.0/8,10.255.255.255",
    "10.1.2.3,10.1.2.3",
    "10.1.2.3/32,10.1.2.3",
    "192.0.2.128/25,192.0.2.128",
    "192.0.2.128/25,192.0.2.255",
    "192.0.2.4/31,192.0.2.5",
    "0.0.0.0/0,203.0.113.9",
    "::/0,2001:db8::1",
    "2001:db8::/33,2001:db8:7fff::1",
    "2001:db8::17,2001:db8::17",
    "10.0.0.0/8,::ffff:10.1.2.3",
    "::ffff:10.1.2.3,10.1.2.3"
  })
  void containsAddresses(String range, String literal) {
    assertThat(TrustedPeers.of(range).contains(address(literal))).isTrue();
    assertThat(TrustedPeers.of("198.51.100.1", range).contains(address(literal))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8,9.255.255.255",
    "10.0.0.0/8,11.0.0.0",
    "10.1.2.3,10.1.2.2",
    "192.0.2.128/25,192.0.2.127",
    "192.0.2.4/31,192.0.2.6",
    "0.0.0.0/0,::1",
    "::/0,10.0.0.1",
    "::/0,::ffff:10.0.0.1",
    "2001:db8::/33,2001:db8:8000::1",
    "2001:db8::17,2001:db8::18"
  })
  void doesNotContainOthers(String range, String literal) {
    assertThat(TrustedPeers.of(range).contains(address(literal))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/8",
        "localhost",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/08",
        "10.0.0.0/8/8",
        "10.0.0.1/8",
        "10.0.0.0/255.0.0.0",
        "10.0.0",
        "2001:db8::/129",
        "2001:db8::1/64",
        "::ffff:10.0.0.0/104",
        "[::1]",
        "::1%lo"
      })
  void rejectsWhatIsNotARange(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrustedPeers.of(text))
        .withMessageContaining(text);
  }

  @Test
  void trustsUnixSocketsOnlyIfAskedTo() {
    UnixDomainSocketAddress unix = UnixDomainSocketAddress.of("");
    TrustedPeers all = TrustedPeers.of("0.0.0.0/0", "::/0");

    assertThat(all.contains(unix)).isFalse();
    assertThat(all.withUnixSockets().contains(unix)).isTrue();
    assertThat(TrustedPeers.unixSockets().contains(unix)).isTrue();
    assertThat(TrustedPeers.unixSockets().contains(new InetSocketAddress(address("127.0.0.1"), 1)))
        .isFalse();
    assertThat(all.contains(InetSocketAddress.createUnresolved("localhost", 1))).isFalse();
  }

  @Test
  void needsAtLeastOneRange() {
    assertThatIllegalArgumentException().isThrownBy(TrustedPeers::of);
  }

  @Test
  void showsItsRanges() {
    assertThat(TrustedPeers.of("10.0.0.0/8", "::1").withUnixSockets())
        .hasToString("[10.0.0.0/8, 0:0:0:0:0:0:0:1/128] and Unix domain sockets");
  }
}
