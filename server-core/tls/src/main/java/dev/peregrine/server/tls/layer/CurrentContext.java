package dev.peregrine.server.tls.layer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The present context of the endpoints that offer the same application protocols, while servers use
 * it; belongs to {@link TlsContexts}. A reload replaces it by one volatile write. Thread-safe.
 */
final class CurrentContext {
  final List<String> protocols;
  int users; // event loops; guarded by the contexts
  private volatile @Nullable TlsContext current; // null without users

  CurrentContext(List<String> protocols) {
    this.protocols = protocols;
  }

  /** Has new sessions use a context, or none; releases the one that it replaces. */
  void set(@Nullable TlsContext next) {
    TlsContext replaced = current;
    current = next;
    if (replaced != null) {
      replaced.release();
    }
  }

  /** Returns true if the requirements on clients depend on the name; the same after a reload. */
  boolean restrictNames() {
    TlsContext seen = current;
    return seen != null && seen.settings().profiles().restrictNames();
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
