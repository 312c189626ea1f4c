package dev.peregrine.server.tls.jdk;

import dev.peregrine.tls.TlsInfo;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The facts of a session, which don't change after its end. */
record JdkInfo(
    SSLSession session,
    @Nullable String serverName,
    @Nullable String applicationProtocol,
    boolean isResumed)
    implements TlsInfo {

  /**
   * Returns the facts of an engine's session. A session that is older than the connection was
   * resumed.
   *
   * @param openedMillis when the connection was opened
   */
  static JdkInfo of(SSLEngine engine, @Nullable String serverName, long openedMillis) {
    String protocol = engine.getApplicationProtocol();
    SSLSession session = engine.getSession();
    return new JdkInfo(
        session,
        serverName,
        protocol == null || protocol.isEmpty() ? null : protocol,
        session.getCreationTime() < openedMillis);
  }

  @Override
  public SSLSession sslSession() {
    return session;
  }

  @Override
  public String version() {
    return session.getProtocol();
  }

  @Override
  public String cipherSuite() {
    return session.getCipherSuite();
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      for (Certificate one : session.getPeerCertificates()) {
        if (one instanceof X509Certificate certificate) {
          chain.add(certificate);
        }
      }
    } catch (SSLPeerUnverifiedException none) {
      return List.of();
    }
    return List.copyOf(chain);
  }

  /** Returns the version, the suite and the requested name, for logs: the same for all engines. */
  @Override
  public String toString() {
    return version() + " " + cipherSuite() + " " + serverName;
  }
}
