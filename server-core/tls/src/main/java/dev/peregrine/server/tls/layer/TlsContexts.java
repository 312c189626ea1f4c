package dev.peregrine.server.tls.layer;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a {@code Tls}, while endpoints of servers use them: one for each list of
 * application protocols that endpoints offer. A reload replaces them all. Thread-safe.
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
  private final List<CurrentContext> used = new ArrayList<>(); // guarded by this
  private @Nullable TlsEngine engine; // null until it is needed; guarded by this
  private TlsSettings settings; // guarded by this

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
   * @param protocols the application protocols to offer, in the server's order
   * @throws GeneralSecurityException if the engine doesn't support the settings
   */
  synchronized CurrentContext open(List<String> protocols) throws GeneralSecurityException {
    CurrentContext found = find(protocols);
    if (found == null) {
      found = new CurrentContext(protocols);
      TlsContext loaded = engine().load(settings.offering(protocols));
      try {
        if (used.isEmpty()) {
          use.begin();
        }
      } catch (Throwable failure) {
        loaded.release();
        throw failure;
      }
      found.set(loaded);
      used.add(found);
      TlsWarmUp.start(loaded);
    }
    found.users++;
    return found;
  }

  private @Nullable CurrentContext find(List<String> protocols) {
    for (CurrentContext one : used) {
      if (one.protocols.equals(protocols)) {
        return one;
      }
    }
    return null;
  }

  /** Removes a user; the last one of a context releases it. */
  synchronized void close(CurrentContext left) {
    if (--left.users == 0) {
      used.remove(left);
      if (used.isEmpty()) {
        use.end();
      }
      left.set(null);
    }
  }

  /**
   * Has new connections use other settings; open ones keep theirs. Endpoints continue to offer the
   * same application protocols.
   *
   * @throws GeneralSecurityException if the engine doesn't support them; then nothing changes
   */
  public synchronized void replace(TlsSettings next) throws GeneralSecurityException {
    List<TlsContext> loaded = new ArrayList<>();
    try {
      for (CurrentContext one : used) {
        loaded.add(engine().load(next.offering(one.protocols)));
      }
    } catch (Throwable failure) {
      loaded.forEach(TlsContext::release);
      throw failure;
    }
    for (int i = 0; i < loaded.size(); i++) {
      used.get(i).set(loaded.get(i));
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
}
