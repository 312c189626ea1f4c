package dev.peregrine.server.tls.layer;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An engine's form of {@link TlsSettings}: immutable, shared by all event loops. A reload replaces
 * it for new connections, while open ones keep theirs. It counts its uses by the {@link
 * TlsContexts} and by each session, and is freed after the last one. Thread-safe.
 */
public abstract class TlsContext {
  /** Returns the address of a client, for the few contexts that need it. */
  @FunctionalInterface
  public interface AddressSource {
    /** Returns the address; throws if the connection has ended. */
    SocketAddress address() throws IOException;
  }

  private final AtomicInteger uses = new AtomicInteger(1);
  private final TlsSettings settings;

  /** Creates a context with one use, its creator's. */
  protected TlsContext(TlsSettings settings) {
    this.settings = settings;
  }

  /** Returns the settings that it was created from. */
  public final TlsSettings settings() {
    return settings;
  }

  /**
   * Adds a use; {@link #release} must follow.
   *
   * @return false if the context has been freed, so that another has taken its place
   */
  public final boolean acquire() {
    int seen;
    do {
      seen = uses.get();
      if (seen == 0) {
        return false;
      }
    } while (!uses.compareAndSet(seen, seen + 1));
    return true;
  }

  /** Ends a use; frees the context after the last. */
  public final void release() {
    if (uses.decrementAndGet() == 0) {
      free();
    }
  }

  /**
   * Creates the session of a connection, on the event loop's thread. The caller has acquired the
   * context, and releases it after {@link TlsSession#free}.
   *
   * @param profile the index of the profile to use, in {@link TlsSettings#profiles}
   * @param serverName the host name that the client requests, or null. Its session is not resumed
   *     by a client that requests another one (RFC 6066 section 3)
   * @param scratch memory that the session may use during its calls
   * @throws TlsException if the engine fails
   */
  public abstract TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch)
      throws TlsException;

  /**
   * Creates the session of a client like {@link #open}, for a context whose sessions depend on its
   * address.
   *
   * @param client returns its address, or throws if it has gone
   * @throws IOException if the client has gone, or the engine fails
   */
  protected TlsSession openFor(
      AddressSource client, int profile, @Nullable String serverName, TlsScratch scratch)
      throws IOException {
    return open(profile, serverName, scratch);
  }

  /**
   * Returns true if the first session takes much longer than later ones, so that one should be
   * opened before a client's. By default none is, because a session could call code of the
   * application.
   */
  protected boolean needsWarmUp() {
    return false;
  }

  /** Releases all memory; called once, on any thread, when no session is left. */
  protected abstract void free();
}
