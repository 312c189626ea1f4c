package dev.peregrine.openssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenSslSessionTest {
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String TLS_1_3 = "TLSv1.3";
  private static final byte[] NOTHING = {};
  private static final byte[] HELLO = "hello".getBytes(US_ASCII);

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Identity identity;
  private static SSLContext clients;

  private RecordBuffers buffers;
  private OpenSslContext context;

  @BeforeAll
  static void needsTheLibrary() {
    String problem = OpenSsl.problem();
    assumeTrue(problem == null, problem);
    identity = Identity.selfSigned("EC");
    clients = Client.context(identity, null);
  }

  @BeforeEach
  void begin() throws OpenSslException {
    buffers = new RecordBuffers();
    context = Server.context(identity);
  }

  @AfterEach
  void leavesNothing() {
    context.close();
    assertThat(OpenSslSession.live()).isZero();
    assertThat(OpenSslContext.live()).isZero();
  }

  /** Passes all bytes, a few at a time, until neither side has output. */
  private static void run(Client client, Server server, int piece) throws SSLException {
    byte[] toServer = client.exchange(NOTHING);
    while (toServer.length > 0) {
      byte[] next = NOTHING;
      for (int i = 0; i < toServer.length; i += piece) {
        byte[] some = Arrays.copyOfRange(toServer, i, Math.min(i + piece, toServer.length));
        byte[] answer = server.exchange(some);
        for (int j = 0; j < answer.length; j += piece) {
          byte[] part = Arrays.copyOfRange(answer, j, Math.min(j + piece, answer.length));
          next = Client.concat(next, client.exchange(part));
        }
      }
      toServer = next;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void exchangesContent(String version) throws Exception {
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);

      assertThat(server.established).isTrue();
      assertThat(client.isEstablished()).isTrue();
      assertThat(server.session.version()).isEqualTo(version);
      assertThat(server.session.cipherSuite())
          .isEqualTo(client.engine.getSession().getCipherSuite());
      assertThat(server.session.serverName()).isEqualTo("localhost");
      assertThat(server.session.applicationProtocol()).isNull();
      assertThat(server.session.isResumed()).isFalse();
      assertThat(server.session.clientCertificates()).isEmpty();
      for (int size : new int[] {1, 100, 16384, 16385, 100_000}) {
        byte[] content = new byte[size];
        ThreadLocalRandom.current().nextBytes(content);
        client.received.reset();
        server.received.reset();
        client.exchange(server.send(content));
        server.exchange(client.send(content));
        assertThat(client.received.toByteArray()).isEqualTo(content);
        assertThat(server.received.toByteArray()).isEqualTo(content);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void takesInputByteByByte(String version) throws Exception {
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      run(client, server, 1);
      for (byte one : client.send(HELLO)) {
        server.exchange(new byte[] {one});
      }

      assertThat(server.received.toByteArray()).isEqualTo(HELLO);
    }
  }

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
  void keepsTheOutputOfASessionApartFromThatOfAnother(String version) throws Exception {
    Client oneClient = Client.create(clients, version);
    Client otherClient = Client.create(clients, version);
    try (Server one = new Server(context, buffers);
        Server other = new Server(context, buffers)) {
      one.feed(oneClient.exchange(NOTHING)); // its answer is not taken
      other.feed(otherClient.exchange(NOTHING));
      byte[] answer = one.output();
      byte[] otherAnswer = other.output();
      byte[] rest = oneClient.exchange(answer);
      one.feed(otherClient.exchange(otherAnswer).length == 0 ? NOTHING : rest);

      assertThat(one.established).isTrue();
      assertThat(other.established).isFalse();
      oneClient.exchange(one.output());
      assertThat(oneClient.isEstablished()).isTrue();
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

  private static void assertFailed(Server server, OpenSslFailure.Kind kind) {
    OpenSslFailure failure = Objects.requireNonNull(server.session.failure());
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.text()).isNotBlank();
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

  @Test
  void staplesTheResponseOfTheAuthority() throws Exception {
    byte[] response = "not checked by the library".getBytes(US_ASCII);
    try (ContextBuilder builder = Server.builder(identity).staple(response);
        OpenSslContext stapling = builder.build(new TicketKeys());
        Server server = new Server(stapling, buffers)) {
      Client client = Client.create(clients, TLS_1_2); // which shows the alert in plain text
      byte[] answer = server.exchange(client.exchange(NOTHING));

      assertThat(new String(answer, ISO_8859_1)).contains("not checked by the library");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void endsInOrderOnlyByCloseNotify(String version) throws Exception {
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);
      server.exchange(client.send(HELLO));
      assertThat(server.ended).isFalse();
      byte[] end = client.end();
      for (int i = 0; i < end.length - 1; i++) {
        server.exchange(new byte[] {end[i]});
        assertThat(server.ended).isFalse();
      }
      server.exchange(new byte[] {end[end.length - 1]});

      assertThat(server.ended).isTrue();
      assertThat(server.hasFailed()).isFalse();
      byte[] response = server.send(HELLO); // the server's side is still open
      assertThat(response).isNotEmpty();
      assertThat(server.end()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void failsByCloseNotifyWithinTheHandshake(String version) throws Exception {
    byte[] alert = {21, 3, 3, 0, 2, 1, 0};
    try (Server server = new Server(context, buffers)) {
      server.exchange(alert);

      assertThat(server.established).isFalse();
      assertThat(server.hasFailed() || server.session.isInputEnded()).isTrue();
    }
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      server.exchange(client.exchange(NOTHING));
      server.exchange(alert);

      assertThat(server.established).isFalse();
      assertThat(server.hasFailed() || server.session.isInputEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void failsByARecordThatWasChanged(String version) throws Exception {
    int length = 0;
    for (int i = 5; i == 5 || i < length; i++) {
      Client client = Client.create(clients, version);
      try (Server server = new Server(context, buffers)) {
        run(client, server, Integer.MAX_VALUE / 2);
        byte[] record = client.send(HELLO);
        length = record.length;
        record[i] ^= 1;
        byte[] answer = server.exchange(record);

        assertThat(server.received.size()).isZero();
        assertFailed(server, OpenSslFailure.Kind.PROTOCOL_VIOLATION);
        assertThatThrownBy(() -> client.exchange(answer)).hasMessageContaining("bad_record_mac");
        assertThat(server.exchange(record)).isEmpty(); // the session's state doesn't change
      }
    }
  }

  @Test
  void failsByBytesThatAreNoTls() {
    for (String text :
        List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0\0\0\0\0", "\26\3\1\377\377\377")) {
      try (Server server = new Server(context, buffers)) {
        server.exchange(text.getBytes(ISO_8859_1));

        assertFailed(server, OpenSslFailure.Kind.PROTOCOL_VIOLATION);
      }
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
  void answersUpdatesOfKeys() throws Exception {
    Client client = Client.create(clients, TLS_1_3);
    try (Server server = new Server(context, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);
      for (int i = 0; i < 3; i++) {
        client.exchange(server.exchange(client.updateKeys()));
        server.exchange(client.send(HELLO));
        client.exchange(server.send(HELLO));
      }

      assertThat(server.received.toString(US_ASCII)).isEqualTo("hello".repeat(3));
      assertThat(client.received.toString(US_ASCII)).isEqualTo("hello".repeat(3));
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

  @Test
  void makesNoObjectsForARecord() throws Exception {
    int count = 50_000;
    Client client = Client.create(clients, TLS_1_3);
    try (Server server = new Server(context, buffers);
        Arena arena = Arena.ofConfined()) {
      run(client, server, Integer.MAX_VALUE / 2);
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      for (int i = 0; i < count; i++) {
        sent.writeBytes(client.send(HELLO));
      }
      MemorySegment records = arena.allocateFrom(ValueLayout.JAVA_BYTE, sent.toByteArray());
      int each = sent.size() / count;
      Echo echo = new Echo(server.session, arena.allocate(100).address());
      int warmUp = count / 2;
      for (int i = 0; i < warmUp; i++) {
        echo.pass(records.address() + (long) i * each, each);
      }

      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = warmUp; i < count; i++) {
        echo.pass(records.address() + (long) i * each, each);
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

      assertThat(allocated / (count - warmUp))
          .as("bytes per record, read and written")
          .isLessThan(8);
    }
  }

  /** Writes what it reads. */
  private record Echo(OpenSslSession session, long content, ByteBuffer out) {
    Echo(OpenSslSession session, long content) {
      this(session, content, ByteBuffer.allocateDirect(1000));
    }

    void pass(long record, int bytes) {
      session.offer(record, bytes);
      int count = session.read(content, 100);
      if (count != HELLO.length || session.write(content, count) != count) {
        throw new AssertionError(session.failure());
      }
      session.takeOutput(out.clear());
    }
  }
}
