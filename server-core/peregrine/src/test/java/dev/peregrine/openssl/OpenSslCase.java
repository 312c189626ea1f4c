package dev.peregrine.openssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A test of sessions in memory, after which no session and no context is left. */
abstract class OpenSslCase {
  static final String TLS_1_2 = "TLSv1.2";
  static final String TLS_1_3 = "TLSv1.3";
  static final byte[] NOTHING = {};
  static final byte[] HELLO = "hello".getBytes(US_ASCII);

  static Identity identity;
  static SSLContext clients;

  RecordBuffers buffers;
  OpenSslContext context;

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
  static void run(Client client, Server server, int piece) throws SSLException {
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

  /** Checks that a session has failed for that reason. */
  static void assertFailed(Server server, OpenSslFailure.Kind kind) {
    OpenSslFailure failure = Objects.requireNonNull(server.session.failure());
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.text()).isNotBlank();
  }
}
