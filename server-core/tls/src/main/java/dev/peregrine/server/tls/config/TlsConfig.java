package dev.peregrine.server.tls.config;

import dev.peregrine.base.Log;
import dev.peregrine.server.layer.ApplicationProtocols;
import dev.peregrine.server.tls.jdk.JdkEngine;
import dev.peregrine.server.tls.jdk.SuppliedEngine;
import dev.peregrine.server.tls.layer.ClientAuthentication;
import dev.peregrine.server.tls.layer.ClientPolicy;
import dev.peregrine.server.tls.layer.HostTable;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.layer.TlsEngine;
import dev.peregrine.server.tls.layer.TlsProfiles;
import dev.peregrine.server.tls.layer.TlsSettings;
import dev.peregrine.server.tls.pem.KeyFiles;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** The options of {@code Tls}, which read the files at each call of {@link #settings}. */
public final class TlsConfig {
  /**
   * Requirements on clients.
   *
   * @param trusted a file with authorities; null if clients aren't asked for a certificate, or if
   *     the application's context decides
   */
  public record ClientRule(ClientAuthentication authentication, @Nullable Path trusted) {
    public static final ClientRule NONE = new ClientRule(ClientAuthentication.NONE, null);

    /** Returns the rule for clients that may have a certificate. */
    public static ClientRule optional(@Nullable Path trusted) {
      return new ClientRule(ClientAuthentication.OPTIONAL, trusted);
    }

    /** Returns the rule for clients that must have a certificate. */
    public static ClientRule required(@Nullable Path trusted) {
      return new ClientRule(ClientAuthentication.REQUIRED, trusted);
    }

    /** Reads the authorities. */
    ClientPolicy load() throws GeneralSecurityException {
      return new ClientPolicy(
          authentication, trusted == null ? List.of() : KeyFiles.certificates(trusted));
    }
  }

  public final List<TlsSource> sources = new ArrayList<>();
  private final Map<String, ClientRule> clientsByName = new LinkedHashMap<>();
  private @Nullable ClientRule clients; // null: none, as the default
  public @Nullable Function<? super SocketAddress, ? extends SSLEngine> engines;
  public boolean refusesUnknownNames;
  public boolean http2 = true;
  public @Nullable Supplier<? extends SSLContext> contexts;
  public boolean onlyJdk; // the engine; at most one of both, and with neither the quicker one
  public boolean onlyOpenSsl;
  public @Nullable Duration reloadInterval; // null for no reload without a call
  public List<String> versions = TlsSettings.VERSIONS;
  public List<String> suites = TlsSettings.SUITES;
  public List<String> groups = TlsSettings.GROUPS;

  private final NativeEngine nativeEngine;

  /** Options without a certificate. */
  public TlsConfig(NativeEngine nativeEngine) {
    this.nativeEngine = nativeEngine;
  }

  /** Sets the requirements on clients for some host names; for all others if there are none. */
  public void authenticate(ClientRule rule, List<String> names) {
    if (names.isEmpty()) {
      require(clients == null, "certificates of clients are set twice");
      clients = rule;
    }
    for (String name : names) {
      require(!name.matches("(.*\\.)?[0-9]+"), "clients don't request an address by SNI: " + name);
      require(
          clientsByName.putIfAbsent(HostTable.key(name), rule) == null,
          "certificates of clients are set twice for " + name);
    }
  }

  /**
   * Returns a copy that isn't changed any more.
   *
   * @throws IllegalArgumentException if options don't fit together
   */
  public TlsConfig copy() {
    check();
    TlsConfig copy = new TlsConfig(nativeEngine);
    copy.sources.addAll(sources);
    copy.clientsByName.putAll(clientsByName);
    copy.clients = clients;
    copy.engines = engines;
    copy.refusesUnknownNames = refusesUnknownNames;
    copy.http2 = http2;
    copy.contexts = contexts;
    copy.onlyJdk = onlyJdk;
    copy.onlyOpenSsl = onlyOpenSsl;
    copy.reloadInterval = reloadInterval;
    copy.versions = versions;
    copy.suites = suites;
    copy.groups = groups;
    return copy;
  }

  private boolean staples() {
    return sources.stream().anyMatch(TlsSource.Stapled.class::isInstance);
  }

  private void check() {
    require(!staples() || !onlyJdk, "the JDK's engine can't staple an OCSP response; use OpenSSL");
    TlsAlgorithms.checkComplete(versions, suites);
    if (engines != null) {
      requireNothingBesideEngines();
    } else if (contexts == null) {
      require(!sources.isEmpty(), "neither a certificate nor an SSLContext is set");
      require(
          sources.stream().skip(1).noneMatch(source -> source.names().isEmpty()),
          "only the first certificate is served for all other names: name the hosts of each of the"
              + " others");
      require(
          !refusesUnknownNames || sources.stream().anyMatch(source -> !source.names().isEmpty()),
          "unknown names are refused, but no certificate has names: no client could connect by name");
      require(
          clients().trusted() != null || clients().authentication() == ClientAuthentication.NONE,
          "certificates of clients need a file with trusted authorities");
    } else {
      require(
          sources.isEmpty(), "both certificates and an SSLContext are set; use only one of them");
      require(!onlyOpenSsl, "an SSLContext needs the JDK's engine");
      require(
          clients().trusted() == null,
          "an SSLContext has its own authorities: don't set a file with others");
      require(
          !refusesUnknownNames,
          "an SSLContext doesn't name the hosts of its certificates, so unknown names can't be"
              + " refused");
      require(reloadInterval == null, "an SSLContext has no files to reload");
      require(
          clientsByName.isEmpty(),
          "an SSLContext has one set of authorities: certificates of clients can't depend on the"
              + " name");
    }
  }

  private void requireNothingBesideEngines() {
    require(
        sources.isEmpty()
            && contexts == null
            && clients == null
            && clientsByName.isEmpty()
            && !refusesUnknownNames
            && reloadInterval == null
            && !onlyOpenSsl
            && versions.equals(TlsSettings.VERSIONS)
            && suites.equals(TlsSettings.SUITES)
            && groups.equals(TlsSettings.GROUPS),
        "engines of the application are set beside other options, which would have no effect");
  }

  /** Returns true if certificates and keys are the application's, so there are no files. */
  public boolean isForeign() {
    return contexts != null || engines != null;
  }

  /** Returns the requirements on clients whose name has none of its own. */
  private ClientRule clients() {
    return clients == null ? ClientRule.NONE : clients;
  }

  public static void require(boolean valid, String problem) {
    if (!valid) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Returns the engine, as it is configured or as the system has it. */
  public TlsEngine engine() {
    if (engines != null) {
      return new SuppliedEngine(engines);
    }
    if (onlyJdk) {
      return new JdkEngine(contexts);
    }
    // With an OCSP response to staple, it throws if OpenSSL can't be used.
    boolean mustUseOpenSsl = onlyOpenSsl || staples();
    return mustUseOpenSsl || usesOpenSsl() ? nativeEngine.open() : new JdkEngine(contexts);
  }

  private boolean usesOpenSsl() {
    String problem = contexts == null ? nativeEngine.problem() : null;
    if (problem != null) {
      Log.add(Level.INFO, problem);
    }
    return contexts == null && problem == null;
  }

  /** Returns all files that are read. */
  public List<Path> files() {
    Stream<Path> certificates = sources.stream().flatMap(source -> source.files().stream());
    Stream<Path> authorities =
        Stream.concat(Stream.of(clients()), clientsByName.values().stream())
            .flatMap(rule -> Stream.ofNullable(rule.trusted()));
    return Stream.concat(certificates, authorities).distinct().toList();
  }

  /** Reads and checks all files. */
  public TlsSettings settings() throws GeneralSecurityException {
    return new TlsSettings(
        isForeign() ? TlsProfiles.single(clients().load()) : profiles(),
        versions,
        suites,
        groups,
        http2 ? ApplicationProtocols.HTTP : ApplicationProtocols.HTTP_1);
  }

  private TlsProfiles profiles() throws GeneralSecurityException {
    List<TlsCredential> credentials = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (TlsSource source : sources) {
      for (String name : source.names()) {
        if (names.put(HostTable.key(name), credentials.size()) != null) {
          throw new GeneralSecurityException("two certificates are for " + name);
        }
      }
      TlsCredential credential = source.load();
      TlsAlgorithms.checkFits(versions, suites, credential);
      credentials.add(credential);
    }
    Map<String, ClientPolicy> policies = new HashMap<>();
    for (Map.Entry<String, ClientRule> rule : clientsByName.entrySet()) {
      policies.put(rule.getKey(), rule.getValue().load());
    }
    return TlsProfiles.of(
        credentials,
        new HostTable<>(names, refusesUnknownNames ? TlsProfiles.NONE : 0),
        new HostTable<>(policies, clients().load()));
  }
}
