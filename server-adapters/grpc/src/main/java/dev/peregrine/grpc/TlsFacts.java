package dev.peregrine.grpc;

import dev.peregrine.tls.TlsInfo;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/** The result of a handshake as a session, for an engine that has none of the JDK's. */
final class TlsFacts implements SSLSession {
  private static final int RECORD_BYTES = 16 * 1024;

  private final TlsInfo tls;

  TlsFacts(TlsInfo tls) {
    this.tls = tls;
  }

  @Override
  public String getProtocol() {
    return tls.version();
  }

  @Override
  public String getCipherSuite() {
    return tls.cipherSuite();
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    return clientCertificates().toArray(Certificate[]::new);
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return clientCertificates().getFirst().getSubjectX500Principal();
  }

  private List<X509Certificate> clientCertificates() throws SSLPeerUnverifiedException {
    List<X509Certificate> certificates = tls.clientCertificates();
    if (certificates.isEmpty()) {
      throw new SSLPeerUnverifiedException("the client has sent no certificate");
    }
    return certificates;
  }

  @Override
  public Certificate @Nullable [] getLocalCertificates() {
    return null;
  }

  @Override
  public @Nullable Principal getLocalPrincipal() {
    return null;
  }

  @Override
  public byte[] getId() {
    return new byte[0];
  }

  @Override
  public @Nullable SSLSessionContext getSessionContext() {
    return null;
  }

  @Override
  public long getCreationTime() {
    return 0;
  }

  @Override
  public long getLastAccessedTime() {
    return 0;
  }

  @Override
  public void invalidate() {}

  @Override
  public boolean isValid() {
    return true;
  }

  @Override
  public void putValue(String name, Object value) {}

  @Override
  public @Nullable Object getValue(String name) {
    return null;
  }

  @Override
  public void removeValue(String name) {}

  @Override
  public String[] getValueNames() {
    return new String[0];
  }

  @Override
  public @Nullable String getPeerHost() {
    return null;
  }

  @Override
  public int getPeerPort() {
    return -1;
  }

  @Override
  public int getPacketBufferSize() {
    return RECORD_BYTES;
  }

  @Override
  public int getApplicationBufferSize() {
    return RECORD_BYTES;
  }
}
