package dev.peregrine.server.proxy;

import static dev.peregrine.testing.ProxyHeaders.addresses;
import static dev.peregrine.testing.ProxyHeaders.block;
import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.paths;
import static dev.peregrine.testing.ProxyHeaders.seal;
import static dev.peregrine.testing.ProxyHeaders.show;
import static dev.peregrine.testing.ProxyHeaders.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.Requests;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of the PROXY protocol, whole, at every division, and with every defect. */
final class HeaderReaderTest {
  private static final int LIMIT = 4096;
  private static final byte[] AFTER = Requests.bytes("GET / HTTP/1.1\r\n");
  private static final byte[] IPV4 = addresses("192.0.2.7", "198.51.100.1");
  private static final byte[] IPV6 = addresses("2001:db8::7", "2001:db8::1");

  private static ProxyHeader read(byte[] header) throws ProxyHeaderException {
    return Objects.requireNonNull(new HeaderReader(LIMIT).read(ByteBuffer.wrap(header)));
  }

  private static String addressesOf(byte[] header) throws ProxyHeaderException {
    ProxyHeader read = read(header);
    return show(read.remote()) + " " + show(read.local());
  }

  private static void expectRejected(byte[] header, String why) {
    for (int limit : new int[] {LIMIT, 65_551}) {
      assertThatThrownBy(() -> new HeaderReader(limit).read(ByteBuffer.wrap(header)))
          .isInstanceOf(ProxyHeaderException.class)
          .hasMessageContaining(why);
    }
  }

  // ---- divisions ----

  private static List<byte[]> valid() {
    return List.of(
        line(),
        line("PROXY TCP6 2001:db8::7 2001:db8::1 4711 443"),
        line("PROXY UNKNOWN"),
        line("PROXY UNKNOWN ffff::1 any thing at all"),
        block(),
        block(ProxyHeaders.PROXY, ProxyHeaders.TCP_IPV6, IPV6),
        block(ProxyHeaders.PROXY, ProxyHeaders.UNIX, paths("/run/a", "/run/b")),
        block(ProxyHeaders.LOCAL, 0, new byte[0]),
        block(value(2, "example.com"), value(0xE0, "")),
        seal(block(value(4, new byte[300]), ProxyHeaders.emptyChecksum())));
  }

  @Test
  void takesExactlyTheHeaderAtEveryDivision() throws Exception {
    for (byte[] header : valid()) {
      byte[] all = Requests.join(header, AFTER);
      for (int cut = 0; cut <= all.length; cut++) {
        HeaderReader reader = new HeaderReader(LIMIT);
        ByteBuffer first = ByteBuffer.wrap(all, 0, cut);
        ByteBuffer rest = ByteBuffer.wrap(all, cut, all.length - cut);
        ProxyHeader read = reader.read(first);
        int end = cut - first.remaining();
        if (cut < header.length) {
          assertThat(read).isNull();
          assertThat(reader.count()).isEqualTo(cut);
          read = reader.read(rest);
          end = rest.position();
        }

        assertThat(end).isEqualTo(header.length);
        assertThat(shown(read)).isEqualTo(shown(read(header)));
      }
    }
  }

  @Test
  void takesAHeaderByteByByte() throws Exception {
    for (byte[] header : valid()) {
      HeaderReader reader = new HeaderReader(LIMIT);
      for (int i = 0; i < header.length - 1; i++) {
        assertThat(reader.read(ByteBuffer.wrap(header, i, 1))).isNull();
      }
      ProxyHeader read = reader.read(ByteBuffer.wrap(header, header.length - 1, 1));

      assertThat(shown(read)).isEqualTo(shown(read(header)));
    }
  }

  private static String shown(@Nullable ProxyHeader header) {
    ProxyInfo info = Objects.requireNonNull(header).info();
    return header.remote() + " " + header.local() + " " + info.isLocal() + " " + info.authority();
  }

  // ---- version 1 ----

  @ParameterizedTest
  @CsvSource({
    "PROXY TCP4 192.0.2.7 198.51.100.1 4711 443,192.0.2.7:4711 198.51.100.1:443",
    "PROXY TCP4 0.0.0.0 255.255.255.255 0 65535,0.0.0.0:0 255.255.255.255:65535",
    "PROXY TCP6 2001:db8::7 ::1 1 2,2001:db8:0:0:0:0:0:7:1 0:0:0:0:0:0:0:1:2",
    "PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2,192.0.2.7:1 0:0:0:0:0:0:0:1:2",
    "PROXY UNKNOWN,null null",
    "'PROXY UNKNOWN ',null null",
    "PROXY UNKNOWN TCP4 1.2.3.4 1.2.3.4 1 1,null null"
  })
  void decodesLines(String text, String expected) throws Exception {
    assertThat(addressesOf(line(text))).isEqualTo(expected);
    assertThat(read(line(text)).info().isLocal()).isFalse();
  }

  @Test
  void decodesTheLongestLine() throws Exception {
    String group = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
    byte[] longest = line("PROXY UNKNOWN " + group + " " + group + " 65535 65535");
    assertThat(longest).hasSize(107);

    assertThat(read(longest).remote()).isNull();
    expectRejected(line("PROXY UNKNOWN " + group + " " + group + " 65535 65535x"), "107 bytes");
    expectRejected(Requests.bytes("PROXY UNKNOWN " + "x".repeat(92) + "x"), "107 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY ",
        "PROXY TCP4",
        "PROXY TCP4 ",
        "PROXY  TCP4 192.0.2.7 198.51.100.1 1 2",
        "PROXY TCP4  192.0.2.7 198.51.100.1 1 2",
        "PROXY TCP4 192.0.2.7  198.51.100.1 1 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1  1 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1  2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2 ",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2 3",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1",
        "PROXY TCP4 192.0.2.7\t198.51.100.1 1 2",
        "PROXY tcp4 192.0.2.7 198.51.100.1 1 2",
        "PROXY TCP 192.0.2.7 198.51.100.1 1 2",
        "PROXY TCP5 192.0.2.7 198.51.100.1 1 2",
        "PROXY UDP4 192.0.2.7 198.51.100.1 1 2",
        "PROXY UNKNOWNX",
        "PROXY unknown",
        "PROXY TCP4 192.0.2.07 198.51.100.1 1 2",
        "PROXY TCP4 192.0.2.256 198.51.100.1 1 2",
        "PROXY TCP4 192.0.2 198.51.100.1 1 2",
        "PROXY TCP4 localhost 198.51.100.1 1 2",
        "PROXY TCP4 2001:db8::7 2001:db8::1 1 2",
        "PROXY TCP4 192.0.2.7 2001:db8::1 1 2",
        "PROXY TCP6 192.0.2.7 198.51.100.1 1 2",
        "PROXY TCP6 2001:db8::7 192.0.2.7 1 2",
        "PROXY TCP6 [2001:db8::7] 2001:db8::1 1 2",
        "PROXY TCP6 fe80::1%lo 2001:db8::1 1 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 01 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 02",
        "PROXY TCP4 192.0.2.7 198.51.100.1 65536 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 65536",
        "PROXY TCP4 192.0.2.7 198.51.100.1 -1 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 +1 2",
        "PROXY TCP4 192.0.2.7 198.51.100.1  2",
        "PROXY TCP4 192.0.2.7 198.51.100.1 0x1 2"
      })
  void rejectsLinesThatAreNotExact(String text) {
    expectRejected(line(text), "the line");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2\r\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2\rG",
        "PROXY UNKNOWN\n",
        "PROXY UNKNOWN a\rb",
        "PROXY UNKNOWN a\nb"
      })
  void rejectsLineEndsThatAreNotCrLf(String text) {
    expectRejected(Requests.bytes(text), "CR or LF alone");
  }

  // ---- the first bytes ----

  @ParameterizedTest
  @ValueSource(
      strings = {"GET / HTTP/1.1", "PRI * HTTP/2.0", "POST /", "proxy TCP4", "PROXY\t", "\n", " "})
  void rejectsTheFirstByteThatNoHeaderHas(String text) throws Exception {
    byte[] bytes = Requests.bytes(text);
    expectRejected(bytes, "is not that of a header");

    HeaderReader reader = new HeaderReader(LIMIT);
    int taken = 0;
    try {
      while (reader.read(ByteBuffer.wrap(bytes, taken, 1)) == null) {
        taken++;
      }
    } catch (ProxyHeaderException expected) {
      assertThat(taken).isEqualTo(common(text));
    }
  }

  private static int common(String text) {
    int length = 0;
    while (length < text.length() && text.charAt(length) == "PROXY ".charAt(length)) {
      length++;
    }
    return length;
  }

  @Test
  void rejectsASignatureWithOneOtherByte() {
    for (int i = 0; i < 12; i++) {
      byte[] header = block();
      header[i] ^= 0x20;
      expectRejected(header, "byte " + (i + 1));
    }
  }

  // ---- version 2 ----

  @Test
  void decodesBlocks() throws Exception {
    assertThat(addressesOf(block())).isEqualTo("192.0.2.7:4711 198.51.100.1:443");
    assertThat(addressesOf(block(ProxyHeaders.PROXY, 0x12, IPV4)))
        .isEqualTo("192.0.2.7:4711 198.51.100.1:443");
    assertThat(addressesOf(block(ProxyHeaders.PROXY, 0x21, IPV6)))
        .isEqualTo("2001:db8:0:0:0:0:0:7:4711 2001:db8:0:0:0:0:0:1:443");
    assertThat(addressesOf(block(ProxyHeaders.PROXY, 0x22, IPV6)))
        .isEqualTo("2001:db8:0:0:0:0:0:7:4711 2001:db8:0:0:0:0:0:1:443");
    assertThat(addressesOf(block(ProxyHeaders.PROXY, 0x31, paths("/run/a.sock", "/run/b.sock"))))
        .isEqualTo("/run/a.sock /run/b.sock");
    assertThat(addressesOf(block(ProxyHeaders.PROXY, 0x32, paths("", "x".repeat(107)))))
        .isEqualTo(" " + "x".repeat(107));
  }

  /** The receiver uses the addresses of the connection, and ignores those in the block. */
  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x01, 0x02, 0x10, 0x20, 0x30})
  void usesNoAddressesOfAnUnspecifiedFamilyOrTransport(int family) throws Exception {
    assertThat(addressesOf(block(ProxyHeaders.PROXY, family, new byte[216])))
        .isEqualTo("null null");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x11, 0x21, 0x31, 0x41, 0x13, 0xFF})
  void skipsTheBlockOfALocalConnection(int family) throws Exception {
    for (int length : new int[] {0, 1, 11, 12, 300}) {
      ProxyHeader read = read(block(ProxyHeaders.LOCAL, family, new byte[length]));

      assertThat(read.remote()).isNull();
      assertThat(read.local()).isNull();
      assertThat(read.info().isLocal()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x01, 0x10, 0x11, 0x22, 0x2F, 0x31, 0x30, 0xA1, 0xFF})
  void rejectsOtherVersionsAndCommands(int command) {
    expectRejected(block(command, ProxyHeaders.TCP_IPV4, IPV4), "version or command");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x41, 0x51, 0xF1})
  void rejectsOtherFamilies(int family) {
    expectRejected(block(ProxyHeaders.PROXY, family, new byte[216]), "address family");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x03, 0x13, 0x23, 0x33, 0x1F})
  void rejectsOtherTransports(int family) {
    expectRejected(block(ProxyHeaders.PROXY, family, new byte[216]), "transport protocol");
  }

  @ParameterizedTest
  @CsvSource({"0x11,12", "0x12,12", "0x10,12", "0x21,36", "0x22,36", "0x31,216"})
  void rejectsBlocksThatAreTooShortForTheirAddresses(String family, int bytes) throws Exception {
    int code = Integer.decode(family);
    for (int length = 0; length < bytes; length++) {
      expectRejected(block(ProxyHeaders.PROXY, code, new byte[length]), "too short");
    }
    assertThat(read(block(ProxyHeaders.PROXY, code, new byte[bytes])).info().authority()).isNull();
  }

  @Test
  void rejectsABlockAboveTheLimitBeforeItArrives() throws Exception {
    byte[] atLimit = block(value(4, new byte[LIMIT - 16 - 12 - 3]));
    byte[] above = block(value(4, new byte[LIMIT - 16 - 12 - 3 + 1]));
    assertThat(atLimit).hasSize(LIMIT);

    assertThat(read(atLimit).remote()).isNotNull();
    HeaderReader reader = new HeaderReader(LIMIT);
    assertThat(reader.read(ByteBuffer.wrap(above, 0, 15))).isNull();
    assertThatThrownBy(() -> reader.read(ByteBuffer.wrap(above, 15, 1)))
        .hasMessageContaining("4097 bytes")
        .hasMessageContaining("4096 bytes (proxyHeaderBytesMax)");
  }

  // ---- values ----

  @Test
  void showsTheValues() throws Exception {
    byte[] tls =
        ProxyHeaders.tls(
            0x07,
            0,
            value(0x21, "TLSv1.3"),
            value(0x22, "Jörg"),
            value(0x23, "TLS_AES_128_GCM_SHA256"));
    ProxyInfo info =
        read(block(
                value(1, "h2"),
                value(2, "bücher.example"),
                value(5, new byte[128]),
                tls,
                value(0x30, "blue"),
                value(0xEA, "\u0001vpce-1"),
                value(0xE0, ""),
                value(0xE0, "second")))
            .info();

    assertThat(info.applicationProtocol()).isEqualTo("h2");
    assertThat(info.authority()).isEqualTo("bücher.example");
    assertThat(info.uniqueId()).hasSize(128);
    assertThat(info.networkNamespace()).isEqualTo("blue");
    assertThat(info.value(0xEA)).isEqualTo(Requests.bytes("\u0001vpce-1"));
    assertThat(info.value(0xE0)).isEmpty();
    assertThat(info.value(0xE1)).isNull();
    assertThat(info.isTls()).isTrue();
    assertThat(info.tlsVersion()).isEqualTo("TLSv1.3");
    assertThat(info.cipherSuite()).isEqualTo("TLS_AES_128_GCM_SHA256");
    assertThat(info.isClientVerified()).isTrue();
    assertThat(info.clientCommonName()).isEqualTo("Jörg");
  }

  @Test
  void hasNoValuesIfTheProxySendsNone() throws Exception {
    for (byte[] header : List.of(line(), block(), line("PROXY UNKNOWN"))) {
      ProxyInfo info = read(header).info();

      assertThat(info.authority()).isNull();
      assertThat(info.applicationProtocol()).isNull();
      assertThat(info.uniqueId()).isNull();
      assertThat(info.networkNamespace()).isNull();
      assertThat(info.isTls()).isFalse();
      assertThat(info.tlsVersion()).isNull();
      assertThat(info.cipherSuite()).isNull();
      assertThat(info.isClientVerified()).isFalse();
      assertThat(info.clientCommonName()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0,false", "0,0,false", "3,0,true", "5,0,true", "3,1,false", "3,-1,false"})
  void provesACertificateOnlyIfItWasSentAndVerified(int flags, int verify, boolean expected)
      throws Exception {
    assertThat(read(block(ProxyHeaders.tls(flags, verify))).info().isClientVerified())
        .isEqualTo(expected);
  }

  @Test
  void rejectsMalformedLists() {
    byte[] valid = Requests.join(value(2, "12345"), value(0xE0, "x"));
    for (int length = 1; length < valid.length; length++) {
      if (length != 8) { // the end of the first value
        expectRejected(block(Arrays.copyOf(valid, length)), "list of values is malformed");
      }
    }
    expectRejected(block(value(0x20, new byte[4])), "list of values is malformed");
    expectRejected(block(ProxyHeaders.tls(1, 0, new byte[] {0x21})), "malformed");
    expectRejected(block(ProxyHeaders.tls(1, 0, new byte[] {0x21, 0, 1})), "malformed");
  }

  @Test
  void rejectsValuesAboveTheirLimits() throws Exception {
    assertThat(read(block(value(2, "x".repeat(255)))).info().authority()).hasSize(255);
    expectRejected(block(value(2, "x".repeat(256))), "256 bytes; the limit is 255");
    expectRejected(block(value(5, new byte[129])), "129 bytes; the limit is 128");
  }

  @Test
  void verifiesTheChecksum() throws Exception {
    byte[] header = seal(block(value(2, "example.com"), ProxyHeaders.emptyChecksum()));
    assertThat(read(header).info().authority()).isEqualTo("example.com");

    for (int i = 16; i < header.length; i++) {
      boolean isHead = i >= 28 && i < 31; // type and length of the first value
      boolean isChecksumHead = i >= header.length - 7 && i < header.length - 4;
      if (!isHead && !isChecksumHead) {
        byte[] changed = header.clone();
        changed[i] ^= 1;
        expectRejected(changed, "checksum is wrong");
      }
    }
  }

  @Test
  void rejectsAChecksumOfAnotherLengthAndASecondOne() {
    for (int length : new int[] {0, 3, 5}) {
      expectRejected(block(value(3, new byte[length])), "one value of 4 bytes");
    }
    expectRejected(block(value(3, new byte[4]), value(3, new byte[4])), "one value of 4 bytes");
  }

  // ---- the cases of HAProxy's regression tests (tlv_validation, tlvs) ----

  private static final String HAPROXY_BEGIN =
      "0d0a0d0a000d0a515549540a 2111 0014 7f0000017f000001002a0539";

  @ParameterizedTest
  @CsvSource({"02000531323334 35,12345", "02000A31323334353132333435,", "02000431323334 00,"})
  void agreesWithHaproxyAboutValues(String hex, @Nullable String authority) throws Exception {
    byte[] header = HexFormat.of().parseHex((HAPROXY_BEGIN + hex).replace(" ", ""));
    if (authority == null) {
      expectRejected(header, "malformed");
    } else {
      assertThat(addressesOf(header)).isEqualTo("127.0.0.1:42 127.0.0.1:1337");
      assertThat(read(header).info().authority()).isEqualTo(authority);
    }
  }
}
