package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handlers;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeSocket;
import dev.peregrine.testing.HandshakeSocket.End;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RecordClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows S1 to S18 and T26 to T30: attacks of clients on TLS. */
final class TlsAttackIT {
  private static final int HANDSHAKE_BYTES_MAX = 1200; // of a client, and a request after it
  private static final int EMPTY_RECORDS_MAX = 32;
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final Victim victim =
      Victim.startSecured(
          Servers.LIMITS,
          Handlers.blocking(
              (request, response) -> {
                try {
                  byte[] content = request.body().readAll(1000);
                  bodies.add(new String(content, StandardCharsets.US_ASCII));
                  response.text("ok");
                } catch (Exception incomplete) {
                  bodies.add("incomplete");
                  throw incomplete;
                }
              }),
          Certificates.TLS);

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  private SSLSocket secure(HandshakeSocket socket, String version) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            Certificates.client(null)
                .getSocketFactory()
                .createSocket(socket, "localhost", victim.port(), true);
    secured.setEnabledProtocols(new String[] {version});
    return secured;
  }

  static Stream<String> versions() {
    return Stream.of("TLSv1.3", "TLSv1.2");
  }

  /** Rows S1, S3 and S14. */
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, CLOSE, 1",
    "TLSv1.3, HALF_CLOSE, 5",
    "TLSv1.3, RESET, 5",
    "TLSv1.2, CLOSE, 5",
    "TLSv1.2, HALF_CLOSE, 7",
    "TLSv1.2, RESET, 7"
  })
  void releasesEverythingWhereverAHandshakeIsCut(String version, End end, int step)
      throws IOException {
    int cuts = 0;
    for (int bytes = 1; bytes < HANDSHAKE_BYTES_MAX; bytes += step) {
      HandshakeSocket socket = HandshakeSocket.cutAfter(victim.server.address(), bytes, end);
      try (SSLSocket secured = secure(socket, version)) {
        secured.getOutputStream().write(Requests.bytes(REQUEST));
        byte[] ignored = secured.getInputStream().readAllBytes();
      } catch (IOException cut) {
        cuts++;
      } finally {
        socket.close();
      }
      if (!socket.isCut()) {
        break;
      }
    }
    assertThat(cuts).isGreaterThan(30);
  }

  /** Rows S2, S5 and S18. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "16030140000 1ffffff", // claims 16 MiB
        "1603018000 01000000", // a record of 32 KiB
        "160301ffff 01000000",
        "1603010000 1603010000", // empty records
        "1603010004 01010000 0303", // too large
        "1603010004 02000010", // a ServerHello
        "1503010002 0100", // an alert
        "1703030010 00000000", // content
        "1403010001 01", // ChangeCipherSpec
        "1602000004 01000010", // SSL 2
        "8046010301002d", // its hello
        "0000000000",
        "ff",
        "1603010009 0100000503030102ff 00", // lengths that don't fit
        "1603010004 01000000" // an empty hello
      })
  void closesAConnectionWhoseFirstBytesAreNoHello(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    try (RawClient client = RawClient.connect(victim.server.address())) {
      client.send(bytes).halfClose().expectClosed();
    }
    assertThat(victim.seen).isEmpty();
  }

  /** Row S5: a declared length is rejected before that many bytes arrive. */
  @Test
  void refusesAHelloThatClaimsTooMuch() {
    try (RawClient client = RawClient.connect(victim.server.address())) {
      client.send(HexFormat.of().parseHex("160301400001ffffff")).expectClosed();
    }
    victim.awaitLine("a ClientHello that claims 16777215 bytes");
  }

  /** Row S2: another record within a hello is rejected before the rest of the hello arrives. */
  @Test
  void refusesAnotherRecordWithinAHello() {
    try (RawClient client = RawClient.connect(victim.server.address())) {
      client.send(HexFormat.of().parseHex("1603010004010000801703030001ff")).expectClosed();
    }
    victim.awaitLine("another record within the ClientHello");
  }

  /** Row S5: a hello in records of one byte that never ends. */
  @Test
  void holdsAtMost64KibOfAHello() {
    byte[] record = HexFormat.of().parseHex("160301000100");
    byte[] records = HexFormat.of().parseHex("160301000401007000" + "160301000100".repeat(5000));
    try (RawClient client = RawClient.connect(victim.server.address())) {
      client.send(records);
      for (int i = 0; i < 20_000 && client.sendWhileOpen(record); i++) {
        // until it is rejected
      }
      client.expectClosed();
    }
    victim.awaitLine("no complete ClientHello in 65536 bytes");
  }

  /** Row S18. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100, 200})
  void servesAClientWhoseHelloComesInSeveralRecords(int fragmentBytes) throws IOException {
    HandshakeSocket socket = HandshakeSocket.splitting(victim.server.address(), fragmentBytes);
    try (SSLSocket secured = secure(socket, "TLSv1.3")) {
      secured.getOutputStream().write(Requests.bytes(REQUEST));
      assertThat(new String(secured.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 OK");
    }
  }

  /** Rows S2 and T26, after the handshake. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "17030300", // part of a header
        "1703034fff", // larger than any record
        "170303ffff",
        "1703030000",
        "17030300100102030405060708090a0b0c0d0e0f10", // not encrypted
        "16030300100102030405060708090a0b0c0d0e0f10",
        "15030300020100", // alerts in the clear
        "15030300020228",
        "1403030001ff",
        "6303030001ff", // of an unknown type
        "474554202f20485454502f312e310d0a"
      })
  void closesAConnectionWithAnInvalidRecord(String hex) {
    try (RawClient client = victim.connect()) {
      assertThat(client.get("/").read().status()).isEqualTo(200);
      client.sendUnsecured(HexFormat.of().parseHex(hex)).truncate().expectClosed();
    }
  }

  /** Row S3: a body is complete only by its framing, and never by the end of the stream. */
  @Test
  void doesNotTakeATruncatedBodyAsComplete() {
    try (RawClient client = victim.connect()) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
      Await.until("it has begun", () -> !victim.seen.isEmpty());
      client.truncate().expectClosed();
    }
    Await.until("it is broken off", () -> !bodies.isEmpty());
    assertThat(bodies).containsExactly("incomplete");
  }

  /** Row S11: a client can't renew keys repeatedly without content. */
  @Test
  void endsAFloodOfKeyUpdates() throws IOException {
    HandshakeSocket socket =
        HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, End.CLOSE);
    try (SSLSocket secured = secure(socket, "TLSv1.3")) {
      secured.startHandshake();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100 * EMPTY_RECORDS_MAX; i++) {
                  secured.startHandshake(); // with TLS 1.3, an update of the keys
                }
                while (secured.getInputStream().read() >= 0) {
                  // until the end
                }
                throw new IOException("it was ended in order");
              })
          .isInstanceOf(IOException.class);
    }
    victim.settle();
  }

  @Test
  void renewsKeysBetweenRequests() throws IOException {
    HandshakeSocket socket =
        HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, End.CLOSE);
    try (SSLSocket secured = secure(socket, "TLSv1.3")) {
      for (int i = 0; i < 2 * EMPTY_RECORDS_MAX; i++) {
        secured.startHandshake();
        secured.getOutputStream().write(Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertThat(secured.getInputStream().readNBytes(15))
            .isEqualTo(Requests.bytes("HTTP/1.1 200 OK"));
        while (secured.getInputStream().read() != 'k') {
          // to the end of "ok"
        }
      }
    }
  }

  @Test
  void servesARequestAfterUpdatesOfKeysInARow() throws IOException {
    byte[] request = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    try (RecordClient client = RecordClient.connect(victim.server.address(), "TLSv1.3")) {
      for (int updates = 0; updates < 4; updates++) {
        for (int i = 0; i < updates; i++) {
          client.sendEmpty();
        }
        client.send(request);
        assertThat(client.readUntil("ok")).contains("HTTP/1.1 200 OK");
      }
    }
  }

  /** Row S11. */
  @Test
  void refusesRenegotiation() throws IOException {
    HandshakeSocket socket =
        HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, End.CLOSE);
    try (SSLSocket secured = secure(socket, "TLSv1.2")) {
      secured.startHandshake();
      assertThatThrownBy(
              () -> {
                secured.startHandshake();
                secured.getOutputStream().write(Requests.bytes(REQUEST));
                byte[] ignored = secured.getInputStream().readAllBytes();
                throw new IOException("nothing was refused");
              })
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("nothing was refused");
    }
  }

  /** Row S3: a client may end its side in order at any time. */
  @ParameterizedTest
  @MethodSource("versions")
  void endsAConnectionWhoseClientEndsItsSide(String version) throws IOException {
    HandshakeSocket socket =
        HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, End.CLOSE);
    try (SSLSocket secured = secure(socket, version)) {
      secured.startHandshake();
      secured.shutdownOutput();
      assertThat(secured.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** Rows S6 and T30: no data about a name is kept. */
  @Test
  void servesManyNames() throws IOException {
    List<String> names = new ArrayList<>();
    for (int i : IntStream.range(0, 300).toArray()) {
      names.add("host-" + i + ".example");
    }
    for (String name : names) {
      HandshakeSocket socket =
          HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, End.CLOSE);
      try (SSLSocket secured = secure(socket, "TLSv1.3")) {
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        secured.setSSLParameters(parameters);
        secured.startHandshake();
      }
    }
    assertThat(victim.extraBytes()).isLessThan(2L * 1024 * 1024);
  }

  /** Row S14. */
  @ParameterizedTest
  @EnumSource(End.class)
  void releasesEverythingIfAClientDoesNotReadItsResponse(End end) throws IOException {
    List<HandshakeSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      HandshakeSocket socket =
          HandshakeSocket.cutAfter(victim.server.address(), Integer.MAX_VALUE, end);
      SSLSocket secured = secure(socket, "TLSv1.3");
      secured.getOutputStream().write(Requests.bytes(REQUEST.repeat(50)));
      sockets.add(socket);
    }
    for (HandshakeSocket socket : sockets) {
      if (end == End.RESET) {
        socket.setSoLinger(true, 0);
      } else if (end == End.HALF_CLOSE) {
        socket.shutdownOutput();
      }
      socket.close();
    }
    assertThat(sockets).hasSize(20);
  }
}
