package dev.peregrine.cli.options;

import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS as the options describe it, and the sentences about their files. */
final class TlsFiles {
  private static final Duration RELOAD_INTERVAL = Duration.ofSeconds(10);

  private TlsFiles() {}

  /**
   * Returns TLS; null if no option asks for it.
   *
   * @throws IllegalArgumentException if the options don't fit together, or a file can't be used
   */
  static @Nullable Tls of(Settings settings) {
    OptionValue certificate = settings.get(Option.TLS_CERT);
    OptionValue key = settings.get(Option.TLS_KEY);
    OptionValue password = settings.get(Option.TLS_KEY_PASSWORD_FILE);
    OptionValue engine = settings.get(Option.TLS_ENGINE);
    boolean isSelfSigned = settings.isOn(Option.TLS_SELF_SIGNED);
    boolean isGiven = engine != null || settings.has(Option.TLS_PORT);
    boolean hasFile = certificate != null || key != null || password != null;
    if (!isGiven && !hasFile && !isSelfSigned) {
      return null;
    }
    Tls.Builder builder = Tls.builder();
    if (engine != null) {
      builder.engine(engine.choice(TlsEngineKind.class));
    }
    if (certificate != null && key != null && !isSelfSigned) {
      return ofFiles(builder, certificate, key, password);
    }
    if (hasFile || !isSelfSigned) {
      throw new IllegalArgumentException(
          "TLS needs either --tls-cert and --tls-key, or --tls-self-signed");
    }
    return builder.selfSigned("localhost").build();
  }

  private static Tls ofFiles(
      Tls.Builder builder,
      OptionValue certificate,
      OptionValue key,
      @Nullable OptionValue passwordFile) {
    Path chain = certificate.file();
    Path privateKey = key.file();
    if (passwordFile == null) {
      builder.certificate(chain, privateKey);
    } else {
      builder.certificateWithPassword(chain, privateKey, password(passwordFile));
    }
    try {
      return builder.reloadAutomatically(RELOAD_INTERVAL).build();
    } catch (IllegalArgumentException failure) {
      throw new IllegalArgumentException(describe(failure, certificate, key), failure);
    }
  }

  /** Returns the first line of a file. */
  private static char[] password(OptionValue setting) {
    try {
      List<String> lines = Files.readAllLines(setting.file());
      if (lines.isEmpty() || lines.getFirst().isEmpty()) {
        throw setting.wrong(", whose first line is empty");
      }
      return lines.getFirst().toCharArray();
    } catch (IOException failure) {
      throw setting.wrong(", which can't be read as UTF-8: " + failure.getMessage());
    }
  }

  /** Returns a sentence with the option whose file is at fault; with both if it isn't only one. */
  private static String describe(
      IllegalArgumentException failure, OptionValue certificate, OptionValue key) {
    String problem = String.valueOf(failure.getMessage());
    String origin =
        problem.startsWith(key.path() + " ")
            ? key.origin()
            : problem.startsWith(certificate.path() + " ")
                ? certificate.origin()
                : certificate.origin() + " and " + key.origin();
    String advice =
        problem.endsWith("no password was given")
            ? ": put it into a file for " + Option.TLS_KEY_PASSWORD_FILE.flag()
            : "";
    return origin + ": " + problem + advice;
  }
}
