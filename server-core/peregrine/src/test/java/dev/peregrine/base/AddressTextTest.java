package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses in the form of RFC 5952. */
final class AddressTextTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "255.255.255.255, 255.255.255.255",
    "::ffff:192.0.2.1, 192.0.2.1",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "FFFF:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
    "0:0:3:4:5:6:7:8, ::3:4:5:6:7:8",
    "fe80::1%1, fe80::1"
  })
  void writesAddresses(String given, String expected) throws Exception {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(given), 80);

    assertThat(new String(AddressText.of(address), StandardCharsets.US_ASCII)).isEqualTo(expected);
  }

  @Test
  void namesAnAddressThatIsNone() {
    assertThat(AddressText.of(UnixDomainSocketAddress.of("x")))
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo("unix:");
  }
}
