package dev.peregrine.server;

/** The implementations of TLS. */
public enum TlsEngineKind {
  /**
   * {@link #OPENSSL} where it can be used: on Linux and macOS with OpenSSL 3, if the program has
   * native access and sets no {@code SSLContext}. {@link #JDK} everywhere else. The log says which
   * it is.
   */
  AUTO,

  /** The JDK's, which is always there. */
  JDK,

  /**
   * The OpenSSL 3 of the system. A server that can't use it doesn't start. The system property
   * {@code peregrine.openssl.folder} names the folder of its libraries, where the system doesn't
   * find them by itself.
   */
  OPENSSL
}
