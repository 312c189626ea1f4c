package dev.peregrine.examples;

import dev.peregrine.server.Tls;
import dev.peregrine.server.TlsEngineKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a command line that begin with {@code --tls-}.
 *
 * @param certificate PEM file of the certificate and its chain; null for none
 * @param key PEM file of the private key; null for none
 * @param selfSigned whether a certificate for development is made
 * @param engine the implementation of TLS
 * @param port port for HTTPS; 0 takes a free one
 */
record TlsOptions(
    @Nullable Path certificate,
    @Nullable Path key,
    boolean selfSigned,
    TlsEngineKind engine,
    int port) {
  private static final int PORT_MAX = 0xFFFF;
  private static final Duration RELOAD_INTERVAL = Duration.ofMinutes(1);

  /** The options of a command line that has none. */
  static final TlsOptions NONE = new TlsOptions(null, null, false, TlsEngineKind.AUTO, 8443);

  /**
   * Returns these options together with the one that the line has returned.
   *
   * @throws IllegalArgumentException if it is not an option for TLS, or has a bad value
   */
  TlsOptions with(String option, CommandLine line) {
    return switch (option) {
      case "--tls-cert" -> new TlsOptions(Path.of(line.value()), key, selfSigned, engine, port);
      case "--tls-key" ->
          new TlsOptions(certificate, Path.of(line.value()), selfSigned, engine, port);
      case "--tls-self-signed" -> new TlsOptions(certificate, key, line.flag(), engine, port);
      case "--tls-engine" ->
          new TlsOptions(certificate, key, selfSigned, engine(option, line.value()), port);
      case "--tls-port" ->
          new TlsOptions(certificate, key, selfSigned, engine, line.number(0, PORT_MAX));
      default ->
          throw new IllegalArgumentException("unknown option " + option + " (--help lists them)");
    };
  }

  private static TlsEngineKind engine(String option, String text) {
    for (TlsEngineKind kind : TlsEngineKind.values()) {
      if (kind.name().equals(text.toUpperCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(option + " is " + text + ", which is not an engine");
  }

  /** Returns the names of the engines, for a list of options. */
  static String engines() {
    return Stream.of(TlsEngineKind.values())
        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** Returns true if the command line has options for TLS. */
  boolean isGiven() {
    return !equals(NONE);
  }

  /**
   * Returns TLS as the options say.
   *
   * @throws IllegalArgumentException if they don't fit together, or a file can't be used
   */
  Tls tls() {
    Tls.Builder builder = Tls.builder().engine(engine);
    if (certificate != null && key != null && !selfSigned) {
      return builder.certificate(certificate, key).reloadAutomatically(RELOAD_INTERVAL).build();
    }
    if (certificate != null || key != null || !selfSigned) {
      throw new IllegalArgumentException(
          "TLS needs either --tls-cert and --tls-key, or --tls-self-signed");
    }
    return builder.selfSigned("localhost").build();
  }
}
