package dev.peregrine.openssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agreements of a handshake: sessions that are resumed, protocols, and certificates of clients.
 */
final class OpenSslHandshakeTest extends OpenSslCase {
  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void freesAHandshakeThatIsCutAtAnyByte(String version) throws Exception {
    Client whole = Client.create(clients, version);
    int length = whole.exchange(NOTHING).length;
    for (int cut = 0; cut < length; cut++) {
      Client client = Client.create(clients, version);
      byte[] hello = client.exchange(NOTHING);
      try (Server server = new Server(context, buffers)) {
        server.exchange(Arrays.copyOf(hello, Math.min(cut, hello.length - 1)));

        assertThat(server.established).isFalse();
        assertThat(server.hasFailed()).isFalse();
      }
      assertThat(OpenSslSession.live()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void resumesASessionByTicket(String version) throws Exception {
    SSLContext returning = Client.context(identity, null);
    TicketKeys keys = new TicketKeys();
    try (OpenSslContext first = Server.context(identity, keys);
        OpenSslContext reloaded = Server.context(identity, keys)) {
      assertThat(isResumed(first, returning, version)).isFalse();
      assertThat(isResumed(first, returning, version)).isTrue();
      assertThat(isResumed(reloaded, returning, version)).isTrue();
      keys.rotate();
      assertThat(isResumed(reloaded, returning, version)).as("by the previous key").isTrue();
      assertThat(isResumed(reloaded, returning, version)).as("renewed").isTrue();
      keys.rotate();
      keys.rotate();
      assertThat(isResumed(reloaded, returning, version)).as("the key is gone").isFalse();
      assertThat(isResumed(reloaded, returning, version)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void doesNotResumeASessionOfAnotherScope(String version) throws Exception {
    SSLContext returning = Client.context(identity, null);
    TicketKeys keys = new TicketKeys();
    try (OpenSslContext first = Server.context(identity, keys);
        ContextBuilder builder = Server.builder(identity).sessionScope(new byte[] {2});
        OpenSslContext other = builder.build(keys)) {
      assertThat(isResumed(first, returning, version)).isFalse();
      assertThat(isResumed(other, returning, version)).isFalse();
    }
  }

  private boolean isResumed(OpenSslContext by, SSLContext returning, String version)
      throws Exception {
    Client client = Client.create(returning, version);
    try (Server server = new Server(by, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);
      client.exchange(server.send(HELLO));
      assertThat(client.received.toByteArray()).isEqualTo(HELLO);
      boolean resumed = server.session.isResumed();
      client.exchange(server.end());
      server.exchange(client.end());
      return resumed;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void selectsTheFirstProtocolOfItsOwnThatTheClientOffers(String version) throws Exception {
    try (ContextBuilder builder =
            Server.builder(identity).applicationProtocols(List.of("h2", "http/1.1"));
        OpenSslContext speaking = builder.build(new TicketKeys())) {
      Client client = Client.create(clients, version, "foo", "http/1.1", "h2");
      try (Server server = new Server(speaking, buffers)) {
        run(client, server, Integer.MAX_VALUE / 2);

        assertThat(server.session.applicationProtocol()).isEqualTo("h2");
        assertThat(client.engine.getApplicationProtocol()).isEqualTo("h2");
      }
      Client silent = Client.create(clients, version);
      try (Server server = new Server(speaking, buffers)) {
        run(silent, server, Integer.MAX_VALUE / 2);

        assertThat(server.established).isTrue();
        assertThat(server.session.applicationProtocol()).isNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void rejectsClientsWithoutACommonProtocol(String version) throws Exception {
    try (ContextBuilder builder = Server.builder(identity).applicationProtocols(List.of("h2"));
        OpenSslContext speaking = builder.build(new TicketKeys())) {
      Client client = Client.create(clients, version, "ftp");
      try (Server server = new Server(speaking, buffers)) {
        byte[] answer = server.exchange(client.exchange(NOTHING));

        assertFailed(server, OpenSslFailure.Kind.NO_APPLICATION_PROTOCOL);
        assertThatThrownBy(() -> client.exchange(answer))
            .hasMessageContaining("no_application_protocol");
      }
    }
  }

  @Test
  void rejectsVersionsAndSuitesThatItDoesNotSpeak() throws Exception {
    try (ContextBuilder builder =
            Server.builder(identity).versions(ContextBuilder.TLS_1_3, ContextBuilder.TLS_1_3);
        OpenSslContext strict = builder.build(new TicketKeys());
        Server server = new Server(strict, buffers)) {
      Client client = Client.create(clients, TLS_1_2);
      byte[] answer = server.exchange(client.exchange(NOTHING));

      assertFailed(server, OpenSslFailure.Kind.NOTHING_IN_COMMON);
      assertThatThrownBy(() -> client.exchange(answer)).hasMessageContaining("protocol_version");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void acceptsCertificatesOfClientsThatItTrusts(String version) throws Exception {
    Identity authority = Identity.selfSigned("EC");
    SSLContext own = Client.context(identity, authority.issue("alice"));
    SSLContext stranger = Client.context(identity, Identity.selfSigned("EC"));
    List<byte[]> trusted = List.of(authority.der());
    try (ContextBuilder must = Server.builder(identity).clientCertificates(true, trusted);
        OpenSslContext required = must.build(new TicketKeys());
        ContextBuilder may = Server.builder(identity).clientCertificates(false, trusted);
        OpenSslContext optional = may.build(new TicketKeys())) {
      for (OpenSslContext each : List.of(required, optional)) {
        try (Server server = new Server(each, buffers)) {
          run(Client.create(own, version), server, Integer.MAX_VALUE / 2);
          assertThat(server.session.clientCertificates()).hasSize(1);
        }
        try (Server server = new Server(each, buffers)) {
          assertRejected(Client.create(stranger, version), server);
        }
      }
      try (Server server = new Server(optional, buffers)) {
        run(Client.create(clients, version), server, Integer.MAX_VALUE / 2);
        assertThat(server.established).isTrue();
        assertThat(server.session.clientCertificates()).isEmpty();
      }
      try (Server server = new Server(required, buffers)) {
        assertRejected(Client.create(clients, version), server);
      }
    }
  }

  private static void assertRejected(Client client, Server server) {
    assertThatThrownBy(
            () -> {
              run(client, server, Integer.MAX_VALUE / 2);
              client.exchange(server.output());
            })
        .isInstanceOf(SSLException.class);
    assertFailed(server, OpenSslFailure.Kind.PEER_CERTIFICATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void resumesASessionWithTheCertificateOfTheClient(String version) throws Exception {
    Identity authority = Identity.selfSigned("EC");
    SSLContext own = Client.context(identity, authority.issue("alice"));
    try (ContextBuilder must =
            Server.builder(identity).clientCertificates(true, List.of(authority.der()));
        OpenSslContext required = must.build(new TicketKeys())) {
      assertThat(isResumed(required, own, version)).isFalse();
      Client client = Client.create(own, version);
      try (Server server = new Server(required, buffers)) {
        run(client, server, Integer.MAX_VALUE / 2);

        assertThat(server.session.isResumed()).isTrue();
        assertThat(server.session.clientCertificates()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"60, true", "0, false", "-60, false"})
  void staplesTheResponseOfTheAuthorityUntilItExpires(int seconds, boolean sent) throws Exception {
    byte[] response = "not checked by the library".getBytes(US_ASCII);
    long until = System.currentTimeMillis() / 1000 + seconds;
    try (ContextBuilder builder = Server.builder(identity).staple(response, until);
        OpenSslContext stapling = builder.build(new TicketKeys());
        Server server = new Server(stapling, buffers)) {
      Client client = Client.create(clients, TLS_1_2); // which shows the alert in plain text
      byte[] answer = server.exchange(client.exchange(NOTHING));

      assertThat(new String(answer, ISO_8859_1).contains("not checked by the library"))
          .isEqualTo(sent);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void failsByCloseNotifyWithinTheHandshake(String version) throws Exception {
    byte[] alert = {21, 3, 3, 0, 2, 1, 0};
    try (Server server = new Server(context, buffers)) {
      server.exchange(alert);

      assertThat(server.established).isFalse();
      assertThat(server.hasFailed()).isTrue();
    }
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      server.exchange(client.exchange(NOTHING));
      server.exchange(alert);

      assertThat(server.established).isFalse();
      assertThat(server.hasFailed()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void namesTheAlertOfAClientThatDoesNotTrustIt(String version) {
    SSLContext distrustful = Client.context(Identity.selfSigned("EC"), null);
    Client client = Client.create(distrustful, version);
    try (Server server = new Server(context, buffers)) {
      assertThatThrownBy(() -> run(client, server, Integer.MAX_VALUE / 2))
          .isInstanceOf(SSLException.class);
      server.exchange(client.output());

      assertFailed(server, OpenSslFailure.Kind.PEER_ALERT);
      assertThat(server.session.failure())
          .hasToString("OpenSslFailure[kind=PEER_ALERT, text=received the alert bad_certificate]");
    }
  }

  @Test
  void staysFlatOverManyHandshakes() throws Exception {
    for (int i = 0; i < 1000; i++) {
      Client client = Client.create(clients, (i & 1) == 0 ? TLS_1_2 : TLS_1_3);
      try (Server server = new Server(context, buffers)) {
        run(client, server, Integer.MAX_VALUE / 2);
        assertThat(server.established).isTrue();
      }
    }
    assertThat(OpenSslSession.live()).isZero();
  }
}
