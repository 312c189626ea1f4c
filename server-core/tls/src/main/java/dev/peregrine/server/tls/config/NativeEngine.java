package dev.peregrine.server.tls.config;

import dev.peregrine.server.tls.layer.TlsEngine;
import org.jspecify.annotations.Nullable;

/** The engine of a library of the system, in place of the JDK's. Thread-safe. */
public interface NativeEngine {
  /** Returns why the library can't be used, for the log; null if it can. Loads it. */
  @Nullable String problem();

  /**
   * Returns an engine of the library.
   *
   * @throws UnsupportedOperationException if it can't be used
   */
  TlsEngine open();
}
