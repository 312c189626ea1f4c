package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Host names in ClientHellos (SNI): both engines accept and reject the same ones. */
final class TlsNamesIT {
  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");
  private static final String LABELS = ("a".repeat(63) + ".").repeat(3);

  @RegisterExtension final Servers servers = new Servers();
  private final HandshakeNotes notes = new HandshakeNotes();

  /** A name that the JDK's clients don't check. */
  private static final class AnyName extends SNIServerName {
    AnyName(String latin) {
      super(0, latin.getBytes(ISO_8859_1));
    }
  }

  private static Consumer<SSLParameters> name(String name) {
    return options -> options.setServerNames(List.of(new AnyName(name)));
  }

  private static Consumer<SSLParameters> options(String version, String name) {
    return HttpsClient.version(version).andThen(name(name));
  }

  private HttpServer start() {
    return servers.start(
        HttpsClient.FACTS, options -> options.with(Certificates.TLS).connectionListener(notes));
  }

  @ParameterizedTest
  @CsvSource({
    "WWW.Example, www.example",
    "a, a",
    "xn--bcher-kva.example, xn--bcher-kva.example",
    "192.0.2.1, 192.0.2.1"
  })
  void areSeenByTheApplication(String sent, String seen) throws IOException {
    HttpServer server = start();
    for (String version : VERSIONS) {
      assertThat(HttpsClient.ask(server, Certificates.client(null), options(version, sent)))
          .isEqualTo("https true " + version + " " + seen + " null 0");
    }
  }

  /** The longest name that a client may send. */
  @ParameterizedTest
  @ValueSource(ints = {253, 254})
  void mayBeLong(int bytes) throws IOException {
    String longest = LABELS + "b".repeat(bytes - LABELS.length());

    assertThat(HttpsClient.ask(start(), Certificates.client(null), name(longest)))
        .contains(" " + longest + " ");
  }

  @ParameterizedTest
  @MethodSource("dev.peregrine.testing.InvalidHostNames#all")
  void areRejectedIfTheyAreNoHostNames(String sent) throws Exception {
    HttpServer server = start();
    for (String version : VERSIONS) {
      assertThat(HttpsClient.refused(server, Certificates.client(null), options(version, sent)))
          .hasMessageContaining("illegal_parameter");
      FailedHandshake failed = notes.failure();
      assertThat(failed.reason()).isEqualTo(HandshakeFailure.HELLO_INVALID);
      assertThat(failed.detail()).contains("host name");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 257, 300, 4000})
  void areRejectedIfTheyAreTooLong(int bytes) throws Exception {
    String sent = "a.".repeat(bytes / 2) + "b".repeat(bytes % 2);

    assertThat(HttpsClient.refused(start(), Certificates.client(null), name(sent)))
        .hasMessageContaining("illegal_parameter");
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.HELLO_INVALID);
  }
}
