package dev.peregrine.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContextBuilderTest {
  private final Identity identity = Identity.selfSigned("EC");
  private ContextBuilder builder;

  @BeforeEach
  void needsTheLibrary() throws OpenSslException {
    String problem = OpenSsl.problem();
    assumeTrue(problem == null, problem);
    builder = new ContextBuilder();
  }

  @AfterEach
  void leavesNothing() {
    builder.close();
    assertThat(OpenSslContext.live()).isZero();
  }

  @Test
  void rejectsAKeyThatDoesNotFitTheCertificate() {
    byte[] other = Identity.selfSigned("EC").key();

    assertThatThrownBy(() -> builder.credential(List.of(identity.der()), other))
        .isInstanceOf(OpenSslException.class)
        .hasMessage("the key doesn't fit the certificate: key values mismatch");
  }

  @Test
  void rejectsAKeyOfAnotherKind() {
    byte[] other = Identity.selfSigned("RSA").key();

    assertThatThrownBy(() -> builder.credential(List.of(identity.der()), other))
        .hasMessageStartingWith("the key doesn't fit the certificate");
  }

  @Test
  void rejectsWhatIsNoCertificateAndNoKey() {
    byte[] der = identity.der();
    byte[] cut = Arrays.copyOf(der, der.length - 1);

    assertThatThrownBy(() -> builder.credential(List.of(cut), identity.key()))
        .hasMessageStartingWith("OpenSSL can't read a certificate");
    assertThatThrownBy(() -> builder.credential(List.of(der, cut), identity.key()))
        .hasMessageStartingWith("OpenSSL can't read a certificate");
    assertThatThrownBy(() -> builder.credential(List.of(der), cut))
        .hasMessageStartingWith("OpenSSL can't read the key");
  }

  @Test
  void rejectsNamesThatItDoesNotKnow() {
    assertThatThrownBy(() -> builder.suites(List.of("TLS_ROT_WITH_13")))
        .hasMessage("OpenSSL doesn't know the cipher suite TLS_ROT_WITH_13");
    assertThatThrownBy(() -> builder.suites(List.of("TLS_ROT_13")))
        .hasMessageStartingWith("OpenSSL can't use the suites TLS_ROT_13");
    assertThatThrownBy(() -> builder.groups(List.of("x25519", "secp13r1"), true))
        .hasMessageStartingWith("OpenSSL doesn't know all of the groups x25519:secp13r1");
  }

  @Test
  void rejectsAScopeThatIsTooLong() throws OpenSslException {
    builder.sessionScope(new byte[ContextBuilder.SCOPE_BYTES_MAX]);

    byte[] longer = new byte[ContextBuilder.SCOPE_BYTES_MAX + 1];
    assertThatThrownBy(() -> builder.sessionScope(longer)).isInstanceOf(OpenSslException.class);
  }

  @Test
  void freesWhatWasNotBuilt() throws OpenSslException {
    builder.credential(List.of(identity.der()), identity.key());
    assertThat(OpenSslContext.live()).isEqualTo(1);

    builder.close();

    assertThat(OpenSslContext.live()).isZero();
  }
}
