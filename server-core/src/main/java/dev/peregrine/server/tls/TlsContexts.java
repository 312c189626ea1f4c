package dev.peregrine.server.tls;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The present context of some endpoints, as long as a server uses them. A reload puts another one
 * in its place by one volatile write. Thread-safe.
 */
public final class TlsContexts {
  private final Supplier<TlsEngine> engines;
  private @Nullable TlsEngine engine; // once it was needed; under the lock of this
  private TlsSettings settings; // under the lock of this
  private int users; // event loops; under the lock of this
  private volatile @Nullable TlsContext current; // null without users

  /**
   * Contexts that are made once they are needed.
   *
   * @param engines returns the engine that makes them, or throws
   */
  public TlsContexts(Supplier<TlsEngine> engines, TlsSettings settings) {
    this.engines = engines;
    this.settings = settings;
  }

  /**
   * Adds a user; {@link #close} has to follow.
   *
   * @throws GeneralSecurityException if the engine can't do what the settings say
   */
  public synchronized void open() throws GeneralSecurityException {
    if (current == null) {
      current = engine().load(settings);
    }
    users++;
  }

  /** Takes a user away; the last one lets go of the context. */
  public synchronized void close() {
    TlsContext last = current;
    if (--users == 0 && last != null) {
      current = null;
      last.release();
    }
  }

  /**
   * Has new connections use other settings; open ones keep theirs.
   *
   * @throws GeneralSecurityException if the engine can't do what they say; nothing changes then
   */
  public synchronized void replace(TlsSettings next) throws GeneralSecurityException {
    TlsContext replaced = current;
    if (replaced != null) {
      current = engine().load(next);
      replaced.release();
    }
    settings = next;
  }

  /** Returns the present settings. */
  public synchronized TlsSettings settings() {
    return settings;
  }

  private TlsEngine engine() {
    TlsEngine known = engine;
    if (known == null) {
      known = engines.get();
      engine = known;
      Log.add(Level.INFO, "TLS is done by " + known.describe());
    }
    return known;
  }

  /** Returns the present context, acquired for a session; only while there is a user. */
  TlsContext acquire() {
    while (true) {
      TlsContext seen = current;
      if (seen == null) {
        throw new IllegalStateException("there is no user");
      }
      if (seen.acquire()) {
        return seen;
      }
    }
  }
}
