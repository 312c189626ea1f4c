package dev.peregrine.server.tls;

import dev.peregrine.base.TimeText;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.layer.LayerHandle;
import dev.peregrine.server.tls.config.LoadedTls;
import dev.peregrine.server.tls.config.TlsAlgorithms;
import dev.peregrine.server.tls.config.TlsConfig;
import dev.peregrine.server.tls.config.TlsConfig.ClientRule;
import dev.peregrine.server.tls.config.TlsSource;
import dev.peregrine.server.tls.config.TlsWatch;
import dev.peregrine.server.tls.openssl.OpenSslLibrary;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * TLS for endpoints of a server: its certificates, and those that clients must have. It offers TLS
 * 1.3 and 1.2, only with cipher suites that have forward secrecy and authenticated encryption.
 * Thread-safe.
 *
 * <pre>{@code
 * Tls tls = Tls.of(Path.of("fullchain.pem"), Path.of("privkey.pem"));
 * HttpServer server = HttpServer.builder().port(8443).with(tls).handler(handler).start();
 * tls.reload(); // when the files have changed
 * }</pre>
 */
@SuppressWarnings("exports") // what the server sees of it
public final class Tls extends LayerHandle {
  private final LoadedTls loaded;

  private Tls(LoadedTls loaded) {
    super(loaded.layer());
    this.loaded = loaded;
  }

  /**
   * Returns TLS with one certificate and default options.
   *
   * @param chain a PEM file with the certificate and its issuers
   * @param key a PEM file with its private key, not encrypted
   * @throws IllegalArgumentException if they can't be used; the message names the file
   */
  public static Tls of(Path chain, Path key) {
    return builder().certificate(chain, key).build();
  }

  /**
   * Returns TLS for development, with a new self-signed certificate, which no client trusts. A
   * warning is logged.
   */
  public static Tls selfSigned() {
    return builder().selfSigned("localhost").build();
  }

  /** Returns a builder without a certificate. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads all files again. If any content has changed, new connections use it from now on; open
   * ones aren't affected. If a file can't be used, nothing changes, and the failure is logged.
   * Waits for the disk, so it must not be called on an event loop.
   *
   * @return true if new connections use changed content
   */
  public boolean reload() {
    return loaded.reload();
  }

  /**
   * Returns the application protocols for ALPN, in the server's order: {@code h2}, unless {@link
   * Builder#http2} has turned it off, {@code http/1.1} and {@code http/1.0}. An endpoint offers
   * those of them that it speaks; see {@link Endpoint#withHttp2} and {@link
   * Endpoint#withHttp2Only}.
   */
  public List<String> applicationProtocols() {
    return loaded.applicationProtocols();
  }

  /** Returns what reloads changed files; null if only the application does. */
  @Nullable TlsWatch watch() {
    return loaded.watch();
  }

  /** Options for {@link Tls}. Files are read by {@link #build}. Not thread-safe. */
  public static final class Builder {
    private final TlsConfig config = new TlsConfig(OpenSslLibrary.get());

    private Builder() {}

    /**
     * Adds a certificate from PEM files. The first certificate is the default.
     *
     * @param chain the certificate, followed by its issuers
     * @param key its private key: PKCS#8, PKCS#1 or SEC 1, not encrypted
     * @param names the host names of the certificate, if the server has several: {@code
     *     www.example.com}, or {@code *.example.com} for all names with that end. Names have
     *     precedence over patterns, and longer patterns over shorter ones
     */
    public Builder certificate(Path chain, Path key, String... names) {
      config.sources.add(new TlsSource.Pem(chain, key, null, names(names)));
      return this;
    }

    /**
     * Adds a certificate from PEM files like {@link #certificate}, with an encrypted key.
     *
     * @param password copied, so that the caller may clear it
     */
    public Builder certificateWithPassword(Path chain, Path key, char[] password, String... names) {
      config.sources.add(new TlsSource.Pem(chain, key, password.clone(), names(names)));
      return this;
    }

    /**
     * Adds a certificate from a PKCS#12 or JKS file, which also has the private key.
     *
     * @param password of the file and of the key; copied
     * @param names as for {@link #certificate}
     */
    public Builder keyStore(Path file, char[] password, String... names) {
      config.sources.add(new TlsSource.Store(file, password.clone(), names(names)));
      return this;
    }

    /**
     * Adds a new self-signed certificate for development, which no client trusts. The log has a
     * warning that says so.
     *
     * @param name a host name
     */
    public Builder selfSigned(String name) {
      config.sources.add(new TlsSource.Development(names(name)));
      return this;
    }

    /**
     * Staples an OCSP response to the certificate that was added last: clients that ask for it get
     * it in the handshake, so that they needn't ask the authority. {@link Tls#reload} reads it
     * again. A response that has expired, or that can't be read, is not sent. The log says so when
     * the file is read, and with {@link #reloadAutomatically} also when a response expires later.
     * Needs OpenSSL, because the JDK's engine can't send a given response.
     *
     * @param file the response of the authority, in DER
     */
    public Builder ocspResponse(Path file) {
      TlsConfig.require(!config.sources.isEmpty(), "add the certificate before its OCSP response");
      TlsSource last = config.sources.removeLast();
      TlsConfig.require(
          !(last instanceof TlsSource.Stapled), "a certificate has two OCSP responses");
      config.sources.add(new TlsSource.Stapled(last, file));
      return this;
    }

    private static List<String> names(String... names) {
      for (String name : names) {
        if (!name.matches("(\\*\\.)?[0-9A-Za-z_-]+(\\.[0-9A-Za-z_-]+)*")) {
          throw new IllegalArgumentException("not a host name: " + name);
        }
      }
      return List.of(names);
    }

    /**
     * Sets the application's context in place of certificates and authorities, for the JDK's
     * engine. Versions, suites and groups remain those of the server. {@link
     * #requireClientCertificates()} has its trust managers check clients.
     */
    public Builder context(SSLContext own) {
      Objects.requireNonNull(own);
      return contexts(() -> own);
    }

    /**
     * Sets a source of contexts like {@link #context}, for an application that replaces its keys or
     * authorities while the server runs: new connections use the context that the source returns
     * then, and open ones keep theirs. A session is never resumed under another context.
     *
     * @param source returns a context that has been initialized; called for each connection, on its
     *     event loop, so it must not block. All its contexts are of one provider. If it throws or
     *     returns null, the connection is closed
     */
    public Builder contexts(Supplier<? extends SSLContext> source) {
      config.contexts = Objects.requireNonNull(source);
      return this;
    }

    /**
     * Has the application create the engine of each connection, in place of all other options, for
     * example to configure it by the client's address. Versions, suites and the requirements on
     * clients are those of the engine. If it offers no application protocols (ALPN), it gets those
     * of the endpoint; others than those are dropped.
     *
     * @param source returns a new engine, which no other code uses; called with the address of the
     *     client, on a virtual thread, where it may block for as long as the handshake may take
     *     ({@code ServerLimits.handshakeTime}). If it throws or returns null, the handshake fails
     */
    public Builder engines(Function<? super SocketAddress, ? extends SSLEngine> source) {
      config.engines = Objects.requireNonNull(source);
      return this;
    }

    /**
     * Sets whether a client that requests a host name without a certificate is rejected by an
     * alert. By default it gets the first certificate, as a client without a name always does.
     * Can't be combined with an {@link #context SSLContext}, whose certificates have no names here.
     */
    public Builder refuseUnknownNames(boolean on) {
      config.refusesUnknownNames = on;
      return this;
    }

    /**
     * Sets whether clients may choose HTTP/2 by ALPN; they may by default. {@link
     * Endpoint#withHttp2} does the same for a single endpoint.
     */
    public Builder http2(boolean on) {
      config.http2 = on;
      return this;
    }

    /**
     * Requests a certificate from clients, which may have none; see {@code
     * TlsInfo.clientCertificates}.
     *
     * <p>If this depends on the host name, a client could authenticate for one name and send
     * requests to another. So a request whose Host has other requirements than the name of its
     * connection (SNI) is rejected with 421.
     *
     * @param trusted a PEM file with the authorities whose certificates are accepted
     * @param names the host names and patterns for which this holds, as for {@link #certificate};
     *     without any, all names that have no setting of their own, and clients without a name
     */
    public Builder requestClientCertificates(Path trusted, String... names) {
      return authenticate(ClientRule.optional(trusted), names);
    }

    /**
     * Requires a certificate from clients; without one the handshake fails.
     *
     * @param trusted a PEM file with the authorities whose certificates are accepted
     * @param names as for {@link #requestClientCertificates(Path, String...)}
     */
    public Builder requireClientCertificates(Path trusted, String... names) {
      return authenticate(ClientRule.required(trusted), names);
    }

    /**
     * Requests a certificate from clients, for an {@link #context SSLContext}, whose trust managers
     * decide which ones are accepted.
     */
    public Builder requestClientCertificates() {
      return authenticate(ClientRule.optional(null));
    }

    /**
     * Requires a certificate from clients, for an {@link #context SSLContext}, whose trust managers
     * decide which ones are accepted.
     */
    public Builder requireClientCertificates() {
      return authenticate(ClientRule.required(null));
    }

    /**
     * Asks clients for no certificate; the default.
     *
     * @param names as for {@link #requestClientCertificates(Path, String...)}
     */
    public Builder noClientCertificates(String... names) {
      return authenticate(ClientRule.NONE, names);
    }

    private Builder authenticate(ClientRule rule, String... names) {
      config.authenticate(rule, names(names));
      return this;
    }

    /**
     * Reloads the files when their content has changed, as {@link Tls#reload} does, while a server
     * uses them. Files that don't fit together yet, or can't be used, are tried again each time;
     * the log names each problem once. Without this setting, only {@code reload} reads them.
     *
     * @param interval the time between two checks, which read all files; more than zero
     */
    public Builder reloadAutomatically(Duration interval) {
      TlsConfig.require(
          interval.isPositive(), "the interval isn't positive: " + TimeText.of(interval));
      config.reloadInterval = interval;
      return this;
    }

    /** Sets the implementation; {@link TlsEngineKind#AUTO} by default. */
    public Builder engine(TlsEngineKind kind) {
      config.onlyJdk = Objects.requireNonNull(kind) == TlsEngineKind.JDK;
      config.onlyOpenSsl = kind == TlsEngineKind.OPENSSL;
      return this;
    }

    /**
     * Sets the versions that are offered: {@code TLSv1.3} and {@code TLSv1.2}, by default both.
     * Older versions aren't secure, and are rejected.
     */
    public Builder versions(String... names) {
      config.versions = TlsAlgorithms.versions(names);
      return this;
    }

    /**
     * Sets the cipher suites of both versions, in the server's order, which decides; by default all
     * common ones. Only suites with forward secrecy and authenticated encryption are accepted. A
     * suite that the engine doesn't support is an error when the server starts.
     *
     * @param names standard names such as {@code TLS_AES_128_GCM_SHA256} or {@code
     *     TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}
     */
    public Builder suites(String... names) {
      config.suites = TlsAlgorithms.suites(names);
      return this;
    }

    /**
     * Sets the groups for the exchange of keys, in the server's order; by default {@code x25519},
     * {@code secp256r1} and {@code secp384r1}, after a post-quantum group where OpenSSL has it. A
     * group that the engine doesn't support is an error when the server starts. For clients with
     * TLS 1.2, they must include the curve of the key of a certificate, if it has one.
     *
     * @param names standard names such as {@code x25519}, {@code secp256r1}, {@code X25519MLKEM768}
     */
    public Builder groups(String... names) {
      config.groups = TlsAlgorithms.groups(names);
      return this;
    }

    /**
     * Reads the files and checks them.
     *
     * @throws IllegalArgumentException if no certificate was added, if a file can't be read, a key
     *     doesn't fit its certificate, a password is wrong, or a certificate isn't valid now; the
     *     message names the file
     */
    public Tls build() {
      return new Tls(new LoadedTls(config.copy()));
    }
  }
}
