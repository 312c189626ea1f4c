package dev.peregrine.server.tls;

/** The implementations of TLS. */
public enum TlsEngineKind {
  /**
   * {@link #OPENSSL} where it can be used: on Linux and macOS with OpenSSL 3, if the program has
   * native access and sets no {@code SSLContext}. {@link #JDK} everywhere else. The log names the
   * choice.
   */
  AUTO,

  /** The engine of the JDK, which is always available. */
  JDK,

  /**
   * The OpenSSL 3 of the system. A server that can't use it doesn't start. The system property
   * {@code peregrine.openssl.folder} names the folder of its libraries, if the system doesn't find
   * them.
   */
  OPENSSL
}
