package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpLiteralTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "127.0.0.1",
        "192.0.2.200",
        "255.255.255.255",
        "10.20.30.40",
        "9.99.0.1"
      })
  void parsesIpv4(String text) {
    InetAddress address = Objects.requireNonNull(IpLiteral.parseIpv4(text));

    assertThat(address.getHostAddress()).isEqualTo(text);
    assertThat(IpLiteral.parse(text)).isEqualTo(address);
    assertThat(IpLiteral.parseIpv6(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "1",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.1000",
        "01.2.3.4",
        "1.2.3.00",
        "1.2.3.04",
        "0x1.2.3.4",
        "1.2.3.-4",
        "+1.2.3.4",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.4\0",
        "1.2.3.４",
        "a.b.c.d",
        "2130706433"
      })
  void rejectsWhatIsNotExactlyIpv4(String text) {
    assertThat(IpLiteral.parseIpv4(text)).isNull();
    assertThat(IpLiteral.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "::,0:0:0:0:0:0:0:0",
    "::1,0:0:0:0:0:0:0:1",
    "1::,1:0:0:0:0:0:0:0",
    "2001:db8::17,2001:db8:0:0:0:0:0:17",
    "2001:DB8::aBcD,2001:db8:0:0:0:0:0:abcd",
    "1:2:3:4:5:6:7:8,1:2:3:4:5:6:7:8",
    "0001:0002:0003:0004:0005:0006:0007:0008,1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::,1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8,0:2:3:4:5:6:7:8",
    "1:2::7:8,1:2:0:0:0:0:7:8",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "64:ff9b::192.0.2.33,64:ff9b:0:0:0:0:c000:221",
    "1:2:3:4:5:6:1.2.3.4,1:2:3:4:5:6:102:304",
    "::ffff:192.0.2.33,192.0.2.33",
    "::ffff:c000:221,192.0.2.33"
  })
  void parsesIpv6(String text, String expected) {
    InetAddress address = Objects.requireNonNull(IpLiteral.parseIpv6(text));

    assertThat(address.getHostAddress()).isEqualTo(expected);
    assertThat(IpLiteral.parse(text)).isEqualTo(address);
    assertThat(IpLiteral.parseIpv4(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        ":1",
        "1:",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8:",
        ":1:2:3:4:5:6:7:8",
        "1:2:3:4::5:6:7:8",
        "::1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8::",
        "1::2::3",
        "1:::2",
        "::12345",
        "::g",
        "::1%eth0",
        "::1 ",
        " ::1",
        "[::1]",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3",
        "::1.2.3.4:5",
        "::01.2.3.4",
        "::1.2.3.256",
        "1.2.3.4::",
        "::/0",
        "::\uff11"
      })
  void rejectsWhatIsNotExactlyIpv6(String text) {
    assertThat(IpLiteral.parseIpv6(text)).isNull();
    assertThat(IpLiteral.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "80,80", "65535,65535", "9999,9999"})
  void parsesPorts(String text, int expected) {
    assertThat(IpLiteral.parsePort(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "01", "65536", "99999", "100000", "-1", "+1", " 1", "1 ", "８"})
  void rejectsWhatIsNotACanonicalPort(String text) {
    assertThat(IpLiteral.parsePort(text)).isEqualTo(-1);
  }

  @Test
  void agreesWithTheTextOfTheJdk() throws Exception {
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(bytes);
      InetAddress address = InetAddress.getByAddress(bytes);

      assertThat(IpLiteral.parse(address.getHostAddress())).isEqualTo(address);
    }
  }
}
