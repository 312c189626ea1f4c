package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of servers and of clients. */
final class TlsCertificatesIT {
  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final HandshakeNotes notes = new HandshakeNotes();

  private HttpServer start(Handler handler, Tls tls) {
    return servers.start(handler, options -> options.with(tls).connectionListener(notes));
  }

  private Path chain(TlsCredential credential) {
    return Certificates.writeChain(folder.resolve("chain.pem"), credential);
  }

  private Path key(TlsCredential credential) {
    return Certificates.writeKey(folder.resolve("key.pem"), credential);
  }

  private Path trusted(TlsCredential client) {
    return Certificates.writeChain(folder.resolve("trusted"), client);
  }

  private Tls.Builder own() {
    return Certificates.builder(folder, Certificates.LOCALHOST);
  }

  private HttpServer start(Tls.Builder tls) {
    return start(HttpsClient.FACTS, tls.build());
  }

  private void refused(
      HttpServer server, SSLContext client, String version, HandshakeFailure reason)
      throws Exception {
    HttpsClient.refused(server, client, HttpsClient.version(version));
    assertThat(notes.failure().reason()).isEqualTo(reason);
  }

  @Test
  void choosesTheCertificateByTheName() throws IOException {
    TlsCredential first = Certificates.create("first");
    TlsCredential wide = Certificates.create("wide");
    TlsCredential deep = Certificates.create("deep");
    Path[] files = new Path[6];
    int i = 0;
    for (TlsCredential one : List.of(first, wide, deep)) {
      files[i] = Certificates.writeChain(folder.resolve("chain" + i), one);
      files[i + 1] = Certificates.writeKey(folder.resolve("key" + i), one);
      i += 2;
    }
    Tls tls =
        Tls.builder()
            .engine(Certificates.ENGINE)
            .certificate(files[0], files[1], "a.example")
            .certificate(files[2], files[3], "*.example")
            .certificate(files[4], files[5], "*.deep.example", "b.example")
            .build();
    HttpServer server = start(HttpsClient.FACTS, tls);

    assertThat(HttpsClient.served(server, "A.Example")).isEqualTo("CN=first");
    assertThat(HttpsClient.served(server, "b.example")).isEqualTo("CN=deep");
    assertThat(HttpsClient.served(server, "c.example")).isEqualTo("CN=wide");
    assertThat(HttpsClient.served(server, "d.deep.example")).isEqualTo("CN=deep");
    assertThat(HttpsClient.served(server, "deep.example")).isEqualTo("CN=wide");
    assertThat(HttpsClient.served(server, "example")).isEqualTo("CN=first");
  }

  /** Row S8 of the attacks. */
  @Test
  void refusesUnknownNamesIfItIsToldTo() throws Exception {
    TlsCredential credential = Certificates.create("known.example");
    Tls tls =
        Tls.builder()
            .engine(Certificates.ENGINE)
            .certificate(chain(credential), key(credential), "known.example")
            .refuseUnknownNames(true)
            .build();
    HttpServer server = start(HttpsClient.FACTS, tls);

    assertThat(
            HttpsClient.refused(server, Certificates.client(), HttpsClient.name("unknown.example")))
        .hasMessageContaining("unrecognized_name");
    FailedHandshake failed = notes.failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.NAME_UNKNOWN);
    assertThat(failed.serverName()).isEqualTo("unknown.example");
    assertThat(HttpsClient.ask(server, Certificates.client(), HttpsClient.name("known.example")))
        .contains("known.example");
    assertThat(HttpsClient.ask(server, Certificates.client(), options -> {})).contains("null");
  }

  @Test
  void knowsItsClientsByTheirCertificates() throws Exception {
    TlsCredential client = Certificates.create("client");
    Path trusted = trusted(client);
    HttpServer requiring = start(own().requireClientCertificates(trusted));
    HttpServer requesting = start(own().requestClientCertificates(trusted));
    SSLContext known = Certificates.client(client);
    SSLContext nameless = Certificates.client(null);
    SSLContext stranger = Certificates.client(Certificates.create("client"));

    for (String version : VERSIONS) {
      assertThat(HttpsClient.ask(requiring, known, HttpsClient.version(version))).endsWith(" 1");
      assertThat(HttpsClient.ask(requesting, known, HttpsClient.version(version))).endsWith(" 1");
      assertThat(HttpsClient.ask(requesting, nameless, HttpsClient.version(version)))
          .endsWith(" 0");
      refused(requiring, nameless, version, HandshakeFailure.CLIENT_CERTIFICATE);
      refused(requiring, stranger, version, HandshakeFailure.CLIENT_CERTIFICATE);
      refused(requesting, stranger, version, HandshakeFailure.CLIENT_CERTIFICATE);
    }
  }

  @Test
  void rejectsAClientThatDoesNotHaveTheKeyOfItsCertificate() throws Exception {
    TlsCredential client = Certificates.create("client");
    Path trusted = trusted(client);
    HttpServer requiring = start(own().requireClientCertificates(trusted));
    HttpServer requesting = start(own().requestClientCertificates(trusted));
    SSLContext thief =
        Certificates.client(new TlsCredential(Certificates.create("client").key(), client.chain()));

    for (String version : VERSIONS) {
      refused(requiring, thief, version, HandshakeFailure.PROTOCOL_VIOLATION);
      refused(requesting, thief, version, HandshakeFailure.PROTOCOL_VIOLATION);
    }
  }

  @Test
  void servesWithAKeyForRsassaPssOnly() throws Exception {
    Path chain = Files.writeString(folder.resolve("pss.crt"), KeySamples.PSS_CERTIFICATE);
    Path key = Files.writeString(folder.resolve("pss.key"), KeySamples.PSS_KEY);
    Tls tls = Tls.builder().engine(Certificates.ENGINE).certificate(chain, key).build();
    HttpServer server = start(HttpsClient.FACTS, tls);

    for (String version : VERSIONS) {
      assertThat(HttpsClient.ask(server, Certificates.client(null), HttpsClient.version(version)))
          .contains(version);
    }
  }
}
