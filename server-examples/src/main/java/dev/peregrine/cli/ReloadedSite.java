package dev.peregrine.cli;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.site.Site;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.io.UncheckedIOException;
import java.util.Map;

/** The site of {@code serve}, which can be made anew by the same command line. Thread-safe. */
final class ReloadedSite implements Handler {
  private final Map<String, String> environment;
  private final String[] args;
  private volatile Handler site;

  /**
   * Creates the site.
   *
   * @param args what the invocation was read from
   * @throws IllegalArgumentException if an option of the site is wrong
   */
  ReloadedSite(Invocation invocation, Map<String, String> environment, String... args) {
    this.site = Site.of(invocation);
    this.environment = environment;
    this.args = args;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    site.handle(request, response);
  }

  /**
   * Reads the configuration again and makes the site anew; keeps it if something is wrong. Returns
   * what has happened, for a line that lists it.
   */
  String reload() {
    try {
      site = Site.of(Invocation.of(environment, args));
      return "; the site is read again";
    } catch (IllegalArgumentException | UncheckedIOException wrong) {
      return "; the site stays, because " + wrong.getMessage();
    }
  }
}
