package dev.peregrine.server.tls.config;

import dev.peregrine.base.Log;
import dev.peregrine.server.tls.layer.Staple;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.pem.CredentialCheck;
import dev.peregrine.server.tls.pem.KeyFiles;
import dev.peregrine.server.tls.pem.OcspFile;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A source of a certificate and its key, which reads them at each call. */
public sealed interface TlsSource {
  /** Returns the host names and patterns of the certificate. */
  List<String> names();

  /** Returns the files that are read. */
  List<Path> files();

  /**
   * Reads and checks the certificate and its key.
   *
   * @throws GeneralSecurityException if it can't be used; the message names the file
   */
  TlsCredential load() throws GeneralSecurityException;

  /** A certificate and a key in two files. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a password must not be a String
  record Pem(Path chain, Path key, char @Nullable [] password, List<String> names)
      implements TlsSource {
    private static final int READS_MAX = 3;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @Override
    public List<Path> files() {
      return List.of(chain, key);
    }

    /** Reads both again if they don't fit: a program may be writing one after the other. */
    @Override
    public TlsCredential load() throws GeneralSecurityException {
      for (int i = 0; i < READS_MAX; i++) {
        TlsCredential read =
            new TlsCredential(KeyFiles.key(key, password), KeyFiles.certificates(chain));
        if (CredentialCheck.fits(read)) {
          CredentialCheck.checkTime(read, chain);
          return read;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      throw new GeneralSecurityException(
          "the key of " + key + " doesn't fit the certificate of " + chain);
    }
  }

  /** A certificate and a key in one file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a password must not be a String
  record Store(Path file, char[] password, List<String> names) implements TlsSource {
    @Override
    public List<Path> files() {
      return List.of(file);
    }

    @Override
    public TlsCredential load() throws GeneralSecurityException {
      TlsCredential read = KeyFiles.keyStore(file, password);
      if (!CredentialCheck.fits(read)) {
        throw new GeneralSecurityException(
            "the key of " + file + " doesn't fit the certificate in it");
      }
      CredentialCheck.checkTime(read, file);
      return read;
    }
  }

  /**
   * A certificate with the OCSP response of its authority. If the response can't be used, the
   * certificate is used without it. Each problem is logged once.
   */
  final class Stapled implements TlsSource {
    private final TlsSource source;
    private final Path file;
    private String problem = "";

    public Stapled(TlsSource source, Path file) {
      this.source = source;
      this.file = file;
    }

    @Override
    public List<String> names() {
      return source.names();
    }

    @Override
    public List<Path> files() {
      return Stream.concat(source.files().stream(), Stream.of(file)).toList();
    }

    @Override
    public TlsCredential load() throws GeneralSecurityException {
      TlsCredential read = source.load();
      try {
        Staple staple = OcspFile.read(file, read.chain().getFirst(), Instant.now());
        problem = "";
        return read.withStaple(staple);
      } catch (GeneralSecurityException failure) {
        String found = "no OCSP response is stapled: " + failure.getMessage();
        if (!found.equals(problem)) {
          problem = found;
          Log.add(Level.WARNING, found);
        }
        return read;
      }
    }
  }

  /** A certificate for development that no client trusts, created when it is first needed. */
  final class Development implements TlsSource {
    private static final Duration VALID = Duration.ofDays(30);

    private final List<String> names;
    private @Nullable TlsCredential made;

    public Development(List<String> names) {
      this.names = names;
    }

    @Override
    public List<String> names() {
      return List.of();
    }

    @Override
    public List<Path> files() {
      return List.of();
    }

    @Override
    public TlsCredential load() throws GeneralSecurityException {
      TlsCredential known = made;
      if (known == null) {
        known = SelfSigned.create(VALID, names);
        made = known;
        Log.add(
            Level.WARNING,
            "TLS uses a self-signed certificate for " + names + ": for development only");
      }
      return known;
    }
  }
}
