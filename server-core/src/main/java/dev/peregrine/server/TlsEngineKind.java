package dev.peregrine.server;

/** Which implementation of TLS is used. */
public enum TlsEngineKind {
  /** The best one that is there; at present the JDK's. */
  AUTO,

  /** The JDK's, which is always there. */
  JDK
}
