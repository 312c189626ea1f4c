package dev.peregrine.server.tls.openssl;

import dev.peregrine.base.Sha256;
import dev.peregrine.openssl.ContextBuilder;
import dev.peregrine.openssl.OpenSslContext;
import dev.peregrine.openssl.OpenSslException;
import dev.peregrine.openssl.TicketKeys;
import dev.peregrine.server.tls.layer.ClientAuthentication;
import dev.peregrine.server.tls.layer.Staple;
import dev.peregrine.server.tls.layer.TlsContext;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.layer.TlsProfile;
import dev.peregrine.server.tls.layer.TlsScratch;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One {@link OpenSslContext} for each profile, so no session is resumed under another one. */
final class OpenSslTlsContext extends TlsContext {
  /** The longest RSA key, in bits, whose signature is computed on the event loop. */
  private static final int FAST_RSA_BITS_MAX = 2048;

  private final List<OpenSslContext> contexts;
  private final BitSet slowKeys = new BitSet();
  private final List<byte[]> scopes; // of sessions

  private OpenSslTlsContext(
      TlsSettings settings, List<OpenSslContext> contexts, List<byte[]> scopes) {
    super(settings);
    this.contexts = List.copyOf(contexts);
    for (int i = 0; i < contexts.size(); i++) {
      slowKeys.set(i, isSlow(settings.profiles().list().get(i).requireCredential().key()));
    }
    this.scopes = List.copyOf(scopes);
  }

  static OpenSslTlsContext load(TlsSettings settings, TicketKeys tickets)
      throws GeneralSecurityException {
    List<OpenSslContext> contexts = new ArrayList<>();
    List<byte[]> scopes = new ArrayList<>();
    try {
      for (TlsProfile profile : settings.profiles().list()) {
        byte[] scope = scope(profile);
        scopes.add(scope);
        contexts.add(create(settings, profile, scope, tickets));
      }
    } catch (Throwable failure) {
      contexts.forEach(OpenSslContext::close);
      throw failure;
    }
    return new OpenSslTlsContext(settings, contexts, scopes);
  }

  private static OpenSslContext create(
      TlsSettings settings, TlsProfile profile, byte[] scope, TicketKeys tickets)
      throws GeneralSecurityException {
    TlsCredential credential = profile.requireCredential();
    ClientAuthentication clients = profile.clients().authentication();
    byte[] key = credential.key().getEncoded();
    if (key == null) {
      throw new OpenSslException("a key that can't be exported needs the JDK's engine");
    }
    List<byte[]> chain = encode(credential.chain());
    List<byte[]> trusted = encode(profile.clients().trusted());
    IntSummaryStatistics versions =
        settings.versions().stream().mapToInt(OpenSslTlsContext::number).summaryStatistics();
    try (ContextBuilder builder = new ContextBuilder()) {
      builder
          .versions(versions.getMin(), versions.getMax())
          .suites(settings.suites())
          .groups(settings.groups(), settings.hasDefaultGroups())
          .credential(chain, key)
          .sessionScope(scope);
      if (clients != ClientAuthentication.NONE) {
        builder.clientCertificates(clients == ClientAuthentication.REQUIRED, trusted);
      }
      if (!settings.applicationProtocols().isEmpty()) {
        builder.applicationProtocols(settings.applicationProtocols());
      }
      Staple staple = credential.staple();
      if (staple != null) {
        builder.staple(staple.der(), staple.end().getEpochSecond());
      }
      return builder.build(tickets);
    }
  }

  private static boolean isSlow(PrivateKey key) {
    return key instanceof RSAKey rsa && rsa.getModulus().bitLength() > FAST_RSA_BITS_MAX;
  }

  private static int number(String version) {
    return version.equals(TlsSettings.TLS_1_3) ? ContextBuilder.TLS_1_3 : ContextBuilder.TLS_1_2;
  }

  private static List<byte[]> encode(List<X509Certificate> certificates)
      throws CertificateEncodingException {
    List<byte[]> encoded = new ArrayList<>();
    for (X509Certificate one : certificates) {
      encoded.add(one.getEncoded());
    }
    return encoded;
  }

  /** Returns a value that is equal only for profiles with equal certificates and trust. */
  private static byte[] scope(TlsProfile profile) throws CertificateEncodingException {
    MessageDigest digest = Sha256.digest();
    digest.update(profile.clients().authentication().name().getBytes(StandardCharsets.US_ASCII));
    encode(profile.requireCredential().chain()).forEach(digest::update);
    digest.update((byte) 0);
    encode(profile.clients().trusted()).forEach(digest::update);
    return digest.digest();
  }

  @Override
  public TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch) {
    LoopBuffers loop = scratch.own(LoopBuffers.class, LoopBuffers::new);
    byte[] scope = scopes.get(profile);
    byte[] own = serverName == null ? scope : loop.scope(scope, serverName);
    OpenSslContext context = contexts.get(profile);
    OpenSslTlsSession session =
        slowKeys.get(profile)
            ? OpenSslTlsSession.openAside(context, loop)
            : OpenSslTlsSession.open(context, loop);
    session.scope(own);
    return session;
  }

  @Override
  protected void free() {
    contexts.forEach(OpenSslContext::close);
  }
}
