package dev.peregrine.server.tls;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The present context of a {@code Tls} and its endpoints, while servers use them. A reload replaces
 * it by one volatile write. Thread-safe.
 */
public final class TlsContexts {
  /** An activity that is needed while the contexts have users. */
  public interface Use {
    /** No activity. */
    Use NONE =
        new Use() {
          @Override
          public void begin() {}

          @Override
          public void end() {}
        };

    /** Begins, before the first user. Must not wait for a reload. */
    void begin();

    /** Ends, after the last user. Must not wait for a reload. */
    void end();
  }

  private final Supplier<TlsEngine> engines;
  private final Use use;
  private @Nullable TlsEngine engine; // null until it is needed; guarded by this
  private TlsSettings settings; // guarded by this
  private int users; // event loops; guarded by this
  private volatile @Nullable TlsContext current; // null without users

  /**
   * Creates contexts when they are needed.
   *
   * @param engines returns the engine that creates them, or throws
   */
  public TlsContexts(Supplier<TlsEngine> engines, TlsSettings settings, Use use) {
    this.engines = engines;
    this.use = use;
    this.settings = settings;
  }

  /**
   * Adds a user; {@link #close} must follow.
   *
   * @throws GeneralSecurityException if the engine doesn't support the settings
   */
  public synchronized void open() throws GeneralSecurityException {
    if (current == null) {
      TlsContext loaded = engine().load(settings);
      try {
        use.begin();
      } catch (Throwable failure) {
        loaded.release();
        throw failure;
      }
      current = loaded;
      TlsWarmUp.start(loaded);
    }
    users++;
  }

  /** Removes a user; the last one releases the context. */
  public synchronized void close() {
    TlsContext last = current;
    if (--users == 0 && last != null) {
      current = null;
      use.end();
      last.release();
    }
  }

  /**
   * Has new connections use other settings; open ones keep theirs.
   *
   * @throws GeneralSecurityException if the engine doesn't support them; then nothing changes
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

  /** Returns true if the requirements on clients depend on the name; the same after a reload. */
  boolean restrictNames() {
    TlsContext seen = current;
    return seen != null && seen.settings().profiles().restrictNames();
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

  /** Returns the present context, acquired for a session; only while it has a user. */
  TlsContext acquire() {
    while (true) {
      TlsContext seen = current;
      if (seen == null) {
        throw new IllegalStateException("the TLS settings were released by their last endpoint");
      }
      if (seen.acquire()) {
        return seen;
      }
    }
  }
}
