package dev.peregrine.server.tls.openssl;

import dev.peregrine.server.tls.config.NativeEngine;
import dev.peregrine.server.tls.layer.TlsEngine;
import org.jspecify.annotations.Nullable;

/** The OpenSSL of the system, which is loaded when it is first asked for. */
public final class OpenSslLibrary implements NativeEngine {
  private static final NativeEngine INSTANCE = new OpenSslLibrary();

  private OpenSslLibrary() {}

  /** Returns it. */
  public static NativeEngine get() {
    return INSTANCE;
  }

  @Override
  public @Nullable String problem() {
    return OpenSslEngine.problem();
  }

  @Override
  public TlsEngine open() {
    return new OpenSslEngine();
  }
}
