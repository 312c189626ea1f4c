package dev.peregrine.server.tls.hello;

import static dev.peregrine.server.tls.hello.HelloBytes.body;
import static dev.peregrine.server.tls.hello.HelloBytes.entry;
import static dev.peregrine.server.tls.hello.HelloBytes.extension;
import static dev.peregrine.server.tls.hello.HelloBytes.hello;
import static dev.peregrine.server.tls.hello.HelloBytes.join;
import static dev.peregrine.server.tls.hello.HelloBytes.message;
import static dev.peregrine.server.tls.hello.HelloBytes.number;
import static dev.peregrine.server.tls.hello.HelloBytes.protocols;
import static dev.peregrine.server.tls.hello.HelloBytes.record;
import static dev.peregrine.server.tls.hello.HelloBytes.records;
import static dev.peregrine.server.tls.hello.HelloBytes.serverName;
import static dev.peregrine.server.tls.hello.HelloBytes.serverNames;
import static dev.peregrine.server.tls.hello.HelloBytes.vector;
import static dev.peregrine.server.tls.hello.HelloBytes.versions;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.HandshakeFailure;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HelloReaderTest {
  private static @Nullable ClientHello read(byte[] bytes) throws HelloException {
    return new HelloReader().read(ByteBuffer.wrap(bytes));
  }

  private static String name(byte[]... extensions) throws HelloException {
    return String.valueOf(Objects.requireNonNull(read(hello(extensions))).serverName());
  }

  private static HelloException rejected(byte[] bytes) {
    try {
      throw new AssertionError("was read: " + read(bytes));
    } catch (HelloException expected) {
      return expected;
    }
  }

  private static void expectAlert(int alert, byte[] bytes) {
    HelloException rejected = rejected(bytes);
    assertThat(rejected.reason()).isEqualTo(HandshakeFailure.HELLO_INVALID);
    assertThat(rejected.alert()).as(rejected.getMessage()).isEqualTo(alert);
  }

  // ---- the parts ----

  @Test
  void readsTheNameTheVersionsAndTheProtocols() throws HelloException {
    ClientHello hello =
        read(
            hello(
                extension(10, new byte[8]),
                protocols("h2", "http/1.1"),
                versions(0x304, 0x303, 0x302, 0x301, 0x300),
                serverName("www.example.com")));

    assertThat(hello)
        .isEqualTo(
            new ClientHello(
                "www.example.com",
                List.of("TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1", "SSLv3"),
                List.of("h2", "http/1.1")));
  }

  @Test
  void readsAHelloWithoutExtensions() throws HelloException {
    ClientHello expected = new ClientHello(null, List.of("TLSv1.2"), List.of());

    assertThat(read(hello(HelloBytes.NO_EXTENSIONS))).isEqualTo(expected);
    assertThat(read(hello())).isEqualTo(expected);
  }

  /** RFC 8701: values without a meaning, by which clients find servers that don't ignore them. */
  @Test
  void ignoresValuesThatItDoesNotKnow() throws HelloException {
    ClientHello hello =
        read(
            hello(
                extension(0x0a0a),
                extension(0x1a1a, new byte[1]),
                versions(0x2a2a, 0x304, 0x7f1c, 0x1ff, 0x305),
                protocols("\u00ea\u00ea", "http/1.1")));

    assertThat(hello)
        .isEqualTo(new ClientHello(null, List.of("TLSv1.3"), List.of("??", "http/1.1")));
  }

  // ---- names ----

  @ParameterizedTest
  @CsvSource({
    "www.example.com, www.example.com",
    "WWW.Example.COM, www.example.com",
    "a, a",
    "xn--bcher-kva.example, xn--bcher-kva.example",
    "under_score.example, under_score.example",
    "192.0.2.1, 192.0.2.1", // no name by RFC 6066, but it has no certificate either
    "a.example., a.example"
  })
  void readsHostNames(String sent, String expected) throws HelloException {
    assertThat(name(serverName(sent))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("dev.peregrine.testing.InvalidHostNames#all")
  void rejectsNamesThatAreNoHostNames(String name) {
    expectAlert(HelloException.ILLEGAL_PARAMETER, hello(serverName(name)));
  }

  @Test
  void readsNamesOfAtMost255Bytes() throws HelloException {
    String most = ("a".repeat(63) + ".").repeat(3) + "a".repeat(63);
    assertThat(name(serverName(most.substring(1)))).hasSize(254);
    assertThat(name(serverName(most))).hasSize(255);
    expectAlert(HelloException.ILLEGAL_PARAMETER, hello(serverName(most + ".")));
    expectAlert(HelloException.ILLEGAL_PARAMETER, hello(serverName("a".repeat(64))));
    expectAlert(HelloException.ILLEGAL_PARAMETER, hello(serverName("a.".repeat(8000))));
  }

  @Test
  void readsTheFirstHostName() throws HelloException {
    assertThat(name(serverNames(entry(0, "a"), entry(0, "b")))).isEqualTo("a");
    assertThat(name(serverNames(entry(7, "other"), entry(0, "b")))).isEqualTo("b");
    assertThat(name(serverNames(entry(7, "other")))).isEqualTo("null");
    assertThat(name(serverNames())).isEqualTo("null");
    assertThat(name(serverName("a"), serverName("b"))).isEqualTo("a");
  }

  // ---- divisions (row S18) ----

  static List<byte[]> complete() {
    return HelloBytes.seeds().subList(0, 6);
  }

  @ParameterizedTest
  @MethodSource("complete")
  void readsOnceTheLastByteHasArrivedAndNotBefore(byte[] records) throws HelloException {
    for (int piece : new int[] {1, 2, 3, 5, 7, 100, 1000, 100_000}) {
      HelloReader reader = new HelloReader();
      int to = 0;
      while (to < records.length) {
        to = Math.min(records.length, to + piece);
        ClientHello hello = reader.read(ByteBuffer.wrap(records, 0, to));
        assertThat(hello != null)
            .as("%s of %s bytes", to, records.length)
            .isEqualTo(to == records.length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 37, 100, 16_383, 16_384})
  void readsRecordsOfAnySize(int fragmentBytes) throws HelloException {
    byte[] message = message(body(extension(51, new byte[8000]), serverName("a.example")));
    byte[] records = records(message, fragmentBytes);
    ByteBuffer direct = ByteBuffer.allocateDirect(records.length).put(records).flip();

    ClientHello expected = new ClientHello("a.example", List.of("TLSv1.2"), List.of());
    assertThat(read(records)).isEqualTo(expected);
    assertThat(new HelloReader().read(direct)).isEqualTo(expected);
    assertThat(direct.remaining()).isEqualTo(records.length);
  }

  @Test
  void ignoresTheBytesAfterTheHello() throws HelloException {
    byte[] message = message(body(serverName("a")));
    byte[] next = HelloBytes.latin("\27\3\3\377\377 another record");

    assertThat(read(join(record(message), next))).isNotNull();
    assertThat(read(record(join(message, message)))).isNotNull();
  }

  // ---- lengths that lie (row S5) ----

  @Test
  void rejectsRecordsThatAreTooLargeOrEmpty() {
    byte[] header = {22, 3, 1};
    expectAlert(HelloException.RECORD_OVERFLOW, join(header, number(2, 16_385), new byte[4]));
    expectAlert(HelloException.RECORD_OVERFLOW, join(header, number(2, 0x8000), new byte[4]));
    expectAlert(HelloException.RECORD_OVERFLOW, join(header, number(2, 0xffff), new byte[4]));
    expectAlert(HelloException.DECODE_ERROR, join(header, number(2, 0), new byte[4]));
    expectAlert(
        HelloException.DECODE_ERROR, join(record(new byte[] {1, 0, 0, 9}), record(new byte[0])));
    expectAlert(
        HelloException.UNEXPECTED_MESSAGE,
        join(record(new byte[] {1, 0, 0, 9}), new byte[] {23, 3, 1, 0, 1, 0}));
  }

  @Test
  void takesAHelloOf64KibAtMost() throws HelloException {
    assertThat(read(record(number(4, 0x01_01_00_00)))).isNull();
    expectAlert(HelloException.ILLEGAL_PARAMETER, record(number(4, 0x01_01_00_01)));
    expectAlert(HelloException.ILLEGAL_PARAMETER, record(number(4, 0x01_ff_ff_ff)));
  }

  /** As many bytes of records as it takes, with or without a complete message. */
  @Test
  void takesRecordsOf64KibAtMost() throws HelloException {
    int padding = HelloReader.BYTES_MAX - 4 * 5 - message(body(extension(51))).length;
    byte[] most = hello(extension(51, new byte[padding]));
    assertThat(most).hasSize(HelloReader.BYTES_MAX);
    assertThat(read(most)).isNotNull();
    assertThat(read(Arrays.copyOf(most, most.length - 1))).isNull();
    byte[] more = hello(extension(51, new byte[padding + 1]));
    expectAlert(HelloException.ILLEGAL_PARAMETER, Arrays.copyOf(more, HelloReader.BYTES_MAX));
  }

  @Test
  void rejectsMessagesThatAreNoHello() {
    expectAlert(HelloException.UNEXPECTED_MESSAGE, record(new byte[] {2, 0, 0, 0}));
    expectAlert(HelloException.UNEXPECTED_MESSAGE, record(new byte[] {0, 0, 0, 0}));
    expectAlert(HelloException.DECODE_ERROR, record(new byte[] {1, 0, 0, 0}));
  }

  /** Each length in the message, too large by one and by a lot. */
  @Test
  void rejectsLengthsThatDoNotFit() {
    byte[] good = body(protocols("h2"), versions(0x304), serverName("a.example"));
    int extensions = 2 + 32 + 1 + 32 + 2 + 2 + 1 + 1;
    int[] lengths = {34, 68, 71, extensions + 1};
    for (int at : lengths) {
      byte[] bad = good.clone();
      bad[at]++;
      if (at == extensions + 1) {
        expectAlert(HelloException.DECODE_ERROR, record(message(bad)));
      }
      bad[at] = (byte) 0xff;
      expectAlert(HelloException.DECODE_ERROR, record(message(bad)));
    }
    for (int cut = 0; cut < good.length; cut++) {
      if (cut != extensions) {
        expectAlert(HelloException.DECODE_ERROR, record(message(Arrays.copyOf(good, cut))));
      }
    }
    for (int type : new int[] {0, 16, 43}) {
      expectAlert(HelloException.DECODE_ERROR, hello(extension(type)));
      expectAlert(HelloException.DECODE_ERROR, hello(extension(type, number(2, 0x1000))));
    }
    for (int type : new int[] {0, 16}) {
      expectAlert(HelloException.DECODE_ERROR, hello(extension(type, vector(2, new byte[] {9}))));
    }
    expectAlert(HelloException.DECODE_ERROR, hello(extension(43, vector(1, new byte[] {9}))));
  }

  // ---- other protocols ----

  @Test
  void knowsPlainHttpByItsFirstByte() {
    for (String text : List.of("G", "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0", "A", "Z")) {
      HelloException rejected = rejected(HelloBytes.latin(text));
      assertThat(rejected.reason()).isEqualTo(HandshakeFailure.PLAIN_HTTP);
      assertThat(rejected.alert()).isEqualTo(HelloException.NO_ALERT);
    }
  }

  @Test
  void knowsOtherProtocolsByTheirFirstByte() throws HelloException {
    for (int first = 0; first < 256; first++) {
      if (first == HelloBytes.HANDSHAKE) {
        assertThat(read(number(1, first))).isNull();
      } else if (first < 'A' || first > 'Z') {
        HelloException rejected = rejected(number(1, first));
        assertThat(rejected.reason()).isEqualTo(HandshakeFailure.NOT_TLS);
        assertThat(rejected.alert()).isEqualTo(HelloException.NO_ALERT);
      }
    }
    assertThat(read(new byte[0])).isNull();
  }

  // ---- against a second reader ----

  @ParameterizedTest
  @MethodSource("dev.peregrine.server.tls.hello.HelloBytes#seeds")
  void readsAsASimplerReaderDoes(byte[] records) {
    HelloTarget.run(records);
    for (int i = 0; i < Math.min(records.length, 200); i++) {
      byte[] changed = records.clone();
      for (int value : new int[] {0, 1, 0x80, 0xff}) {
        changed[i] = (byte) value;
        HelloTarget.run(changed);
      }
    }
  }
}
