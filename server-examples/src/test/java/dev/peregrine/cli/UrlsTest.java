package dev.peregrine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTest {
  @ParameterizedTest
  @CsvSource({"127.0.0.1, http://127.0.0.1:8080", "::1, http://[0:0:0:0:0:0:0:1]:8080"})
  void namesTheAddressThatIsListenedOn(String address, String url) throws Exception {
    assertThat(Urls.of("http", listening(address))).containsExactly(url);
  }

  @Test
  void leavesOutTheZoneOfAnAddress() throws Exception {
    byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
    InetAddress address = Inet6Address.getByAddress(null, linkLocal, 1);

    assertThat(Urls.of("http", new InetSocketAddress(address, 80)))
        .containsExactly("http://[fe80:0:0:0:0:0:0:1]:80");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void beginsWithLocalhostForAllAddresses(String address) throws Exception {
    assertThat(Urls.of("http", listening(address)))
        .startsWith("http://localhost:8080")
        .allSatisfy(url -> assertThat(URI.create(url).getHost()).isNotNull())
        .noneMatch(url -> url.contains("0.0.0.0") || url.contains("[0:0:0:0:0:0:0:0]"))
        .doesNotHaveDuplicates();
  }

  private static InetSocketAddress listening(String address) throws Exception {
    return new InetSocketAddress(InetAddress.getByName(address), 8080);
  }
}
