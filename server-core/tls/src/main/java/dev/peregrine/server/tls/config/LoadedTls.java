package dev.peregrine.server.tls.config;

import dev.peregrine.base.Log;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.tls.layer.TlsContexts;
import dev.peregrine.server.tls.layer.TlsLayer;
import dev.peregrine.server.tls.layer.TlsProfile;
import dev.peregrine.server.tls.layer.TlsSettings;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a {@code Tls} as they were loaded last, for all its endpoints. Thread-safe.
 */
public final class LoadedTls {
  private final TlsConfig options;
  private final TlsContexts contexts;
  private final @Nullable TlsWatch watch; // null if only the application reloads

  /**
   * Loads all files.
   *
   * @throws IllegalArgumentException if they can't be used; the message names the file
   */
  public LoadedTls(TlsConfig options) {
    this.options = options;
    Duration interval = options.reloadInterval;
    watch =
        interval == null
            ? null
            : new TlsWatch(interval, options.files(), this::hasExpiredStaple, () -> load().problem);
    try {
      TlsContexts.Use use = watch == null ? TlsContexts.Use.NONE : watch;
      contexts = new TlsContexts(options::engine, options.settings(), use);
    } catch (GeneralSecurityException failure) {
      throw new IllegalArgumentException(failure.getMessage(), failure);
    }
  }

  /** Loads all files again; see {@code Tls.reload}. */
  public boolean reload() {
    Outcome outcome = load();
    if (outcome.problem != null) {
      Log.add(Level.WARNING, outcome.problem);
    }
    return outcome.changed;
  }

  /**
   * The outcome of a reload.
   *
   * @param problem of files that can't be used; null if there is none
   */
  private record Outcome(boolean changed, @Nullable String problem) {}

  private synchronized Outcome load() {
    if (options.isForeign()) {
      return new Outcome(false, null);
    }
    try {
      TlsSettings next = options.settings();
      if (next.hasSameContent(contexts.settings())) {
        return new Outcome(false, null);
      }
      contexts.replace(next);
      Log.add(Level.INFO, "TLS certificates were reloaded: " + describe(next));
      return new Outcome(true, null);
    } catch (GeneralSecurityException failure) {
      return new Outcome(
          false, "TLS certificates were not reloaded, the old ones stay: " + failure.getMessage());
    }
  }

  private boolean hasExpiredStaple() {
    return contexts.settings().hasExpiredStaple(Instant.now());
  }

  private static String describe(TlsSettings settings) {
    Set<String> lines = new LinkedHashSet<>();
    for (TlsProfile one : settings.profiles().list()) {
      X509Certificate certificate = one.requireCredential().chain().getFirst();
      lines.add(certificate.getSubjectX500Principal() + ", valid to " + certificate.getNotAfter());
    }
    return String.join("; ", lines);
  }

  /** Returns the application protocols for ALPN, in the server's order. */
  public List<String> applicationProtocols() {
    return contexts.settings().applicationProtocols();
  }

  /** Returns a layer for an endpoint. */
  public SocketLayer layer() {
    return new TlsLayer(contexts, applicationProtocols());
  }

  /** Returns what reloads changed files; null if only the application does. */
  public @Nullable TlsWatch watch() {
    return watch;
  }
}
