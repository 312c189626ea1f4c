package dev.peregrine.openssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content, ends and failures of sessions. */
final class OpenSslSessionTest extends OpenSslCase {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

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
  void failsByAFatalAlert(String version) throws Exception {
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);
      server.exchange(client.fatalAlert());

      assertThat(server.ended).as("ended in order").isFalse();
      assertFailed(server, OpenSslFailure.Kind.PEER_ALERT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void isNotFailedByTheAlertOfAnotherClient(String version) throws Exception {
    Client honest = Client.create(clients, version);
    Client failing = Client.create(clients, version);
    try (Server server = new Server(context, buffers);
        Server other = new Server(context, buffers)) {
      run(honest, server, Integer.MAX_VALUE / 2);
      run(failing, other, Integer.MAX_VALUE / 2);
      other.exchange(failing.fatalAlert());
      for (byte one : honest.send(HELLO)) { // most calls find that a record is incomplete
        server.exchange(new byte[] {one});
      }

      assertThat(server.received.toByteArray()).isEqualTo(HELLO);
    }
  }

  /** As another user of OpenSSL on the thread may do. */
  @ParameterizedTest
  @ValueSource(strings = {TLS_1_2, TLS_1_3})
  void isNotFailedByAnErrorThatIsLeftOnItsThread(String version) throws Exception {
    Client client = Client.create(clients, version);
    try (Server server = new Server(context, buffers)) {
      for (byte[] toServer = client.exchange(NOTHING); toServer.length > 0; ) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        for (byte one : toServer) {
          leaveAnError();
          answer.writeBytes(server.exchange(new byte[] {one}));
        }
        toServer = client.exchange(answer.toByteArray());
      }
      for (byte one : client.send(HELLO)) {
        leaveAnError();
        server.exchange(new byte[] {one});
      }
      leaveAnError();
      client.exchange(server.send(HELLO));
      leaveAnError();
      assertThat(server.end()).isNotEmpty();

      assertThat(server.received.toByteArray()).isEqualTo(HELLO);
      assertThat(client.received.toByteArray()).isEqualTo(HELLO);
    }
  }

  /** Fails to parse a certificate, and doesn't look why. */
  private static void leaveAnError() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(1);
      MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes.address());
      assertThat(Downcall.call(Functions.D2I_X509, 0, pointer.address(), 1)).isZero();
    }
    assertThat(Downcall.call(Functions.ERR_PEEK_ERROR)).isNotZero();
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

  /** The server responds to an update only before its next content (RFC 8446 section 4.6.3). */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 32})
  void takesUpdatesOfKeysInARow(int count) throws Exception {
    Client client = Client.create(clients, TLS_1_3);
    try (Server server = new Server(context, buffers)) {
      run(client, server, Integer.MAX_VALUE / 2);
      byte[] answers = NOTHING;
      for (int i = 0; i < count; i++) {
        answers = Client.concat(answers, server.exchange(client.updateKeys()));
      }
      answers = Client.concat(answers, server.exchange(client.send(HELLO)));
      client.exchange(Client.concat(answers, server.send(HELLO)));

      assertThat(server.session.failure()).isNull();
      assertThat(server.received.toByteArray()).isEqualTo(HELLO);
      assertThat(client.received.toByteArray()).isEqualTo(HELLO);
    }
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
