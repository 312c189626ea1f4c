package dev.peregrine.cli.site;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.options.Option;
import dev.peregrine.cli.options.Settings;
import dev.peregrine.cli.rules.AuthRule;
import dev.peregrine.cli.rules.SiteRules;
import dev.peregrine.http.Handler;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.route.HostRoutes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handler of the command {@code serve}: a directory, or several by host. */
public final class Site {
  /** Serves no host: 421 for each. */
  private static final Handler NONE = HostRoutes.builder().build();

  private final Settings settings;
  private final SiteRules rules;
  private final Map<Path, PasswordUsers> users = new HashMap<>(); // by file

  private Site(Settings settings, SiteRules rules) {
    this.settings = settings;
    this.rules = rules;
    for (AuthRule rule : rules.auth()) {
      users.computeIfAbsent(rule.file(), file -> new PasswordUsers(rule));
    }
  }

  /**
   * Creates the handler.
   *
   * @throws IllegalArgumentException if a host, a directory or a rule is wrong
   */
  public static Handler of(Invocation invocation) {
    Settings settings = invocation.settings();
    Path directory = invocation.directory();
    Map<String, Path> sites = invocation.sites();
    Site site = new Site(settings, SiteRules.of(settings, sites.keySet(), directory != null));
    Handler main = directory == null ? null : site.handler(directory, null);
    return sites.isEmpty() && main != null ? main : site.byHost(sites, main);
  }

  private Handler byHost(Map<String, Path> sites, @Nullable Handler otherwise) {
    HostRoutes.Builder hosts = HostRoutes.builder();
    for (Map.Entry<String, Path> site : sites.entrySet()) {
      hosts.host(site.getKey(), handler(site.getValue(), site.getKey()));
    }
    return hosts
        .otherwise(otherwise == null ? withHeaders(rules.of(null), NONE) : otherwise)
        .build();
  }

  private static Handler withHeaders(SiteRules own, Handler site) {
    return own.headers().isEmpty() ? site : new HeaderRules(own.headers(), site);
  }

  /** Returns the handler of a directory; what is done first is outermost. */
  private Handler handler(Path directory, @Nullable String host) {
    checkFilesOfUsers(directory);
    SiteRules own = rules.of(host);
    Handler files =
        StaticFiles.builder(directory)
            .listing(settings.isOn(Option.LISTING))
            .hidden(settings.isOn(Option.HIDDEN))
            .build();
    Handler site = settings.isOn(Option.SPA) ? new SinglePage(files, guarded(own, files)) : files;
    if (!own.cache().isEmpty() || !own.auth().isEmpty()) {
      site = new CacheRules(own.cache(), site);
    }
    site = guarded(own, site);
    if (!own.rewrites().isEmpty()) {
      // Both the path of the request and that of the file may need a user.
      site = guarded(own, new RewriteRules(own.rewrites(), site));
    }
    if (!own.redirects().isEmpty()) {
      site = new RedirectRules(own.redirects(), site);
    }
    int httpsPort = settings.httpsRedirect();
    site = httpsPort == 0 ? site : new ToHttps(httpsPort, site);
    return withHeaders(own, Compression.of(new ErrorPages(site, files)));
  }

  private Handler guarded(SiteRules own, Handler site) {
    return own.auth().isEmpty() ? site : new Guard(own.auth(), users, site);
  }

  /** Checks that no file with hashes of passwords is served. */
  private void checkFilesOfUsers(Path directory) {
    try {
      Path served = directory.toRealPath();
      for (Path file : users.keySet()) {
        if (file.toRealPath().startsWith(served)) {
          throw new IllegalArgumentException(
              "--auth names " + file + ", which lies in the directory that is served");
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("a file of --auth can't be found", failure);
    }
  }
}
