package dev.peregrine.cli;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.options.Option;
import dev.peregrine.cli.options.Settings;
import dev.peregrine.http.Handler;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.route.HostRoutes;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handler of the command {@code serve}: a directory, or several by host. */
final class Site {
  private Site() {}

  /**
   * Creates the handler.
   *
   * @throws IllegalArgumentException if a host or a directory is wrong
   */
  static Handler of(Invocation invocation) {
    Settings settings = invocation.settings();
    Path directory = invocation.directory();
    Handler main = directory == null ? null : files(directory, settings);
    Map<String, Path> sites = invocation.sites();
    return sites.isEmpty() && main != null ? main : byHost(sites, main, settings);
  }

  private static Handler byHost(
      Map<String, Path> sites, @Nullable Handler otherwise, Settings settings) {
    HostRoutes.Builder hosts = HostRoutes.builder();
    for (Map.Entry<String, Path> site : sites.entrySet()) {
      hosts.host(site.getKey(), files(site.getValue(), settings));
    }
    if (otherwise != null) {
      hosts.otherwise(otherwise);
    }
    return hosts.build();
  }

  private static Handler files(Path directory, Settings settings) {
    Handler files = StaticFiles.builder(directory).listing(settings.isOn(Option.LISTING)).build();
    Handler site = settings.isOn(Option.SPA) ? new SinglePage(files) : files;
    Handler withPage = new NotFoundPage(site, files);
    Map<String, String> cached = settings.cacheRules();
    Handler whole = Compression.of(cached.isEmpty() ? withPage : new CacheRules(cached, withPage));
    int httpsPort = settings.httpsRedirect();
    return httpsPort == 0 ? whole : new ToHttps(httpsPort, whole);
  }
}
