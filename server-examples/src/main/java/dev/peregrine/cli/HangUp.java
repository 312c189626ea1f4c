package dev.peregrine.cli;

import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.server.tls.Tls;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Reloads at SIGHUP: certificates and site are read, and the access log is opened again. If the
 * signal comes because the terminal was closed, the program ends, as it would without a handler.
 */
final class HangUp implements Runnable {
  static final String SIGNAL = "HUP";

  private static final int STATUS = 128 + 1; // as the JVM's own

  private final @Nullable Tls tls;
  private final @Nullable AccessLog log;
  private final @Nullable ReloadedSite site;
  private final PrintStream out;
  private final boolean hadTerminal = OwnProcess.hasTerminal();

  HangUp(@Nullable Tls tls, @Nullable AccessLog log, @Nullable ReloadedSite site, PrintStream out) {
    this.site = site;
    this.tls = tls;
    this.log = log;
    this.out = out;
  }

  @Override
  public void run() {
    if (hadTerminal && !OwnProcess.hasTerminal()) {
      System.exit(STATUS);
    }
    String text = "SIGHUP";
    if (tls != null) {
      text += tls.reload() ? "; the certificates have changed" : "; the certificates stay";
    }
    if (site != null) {
      text += site.reload();
    }
    if (log != null) {
      log.reopen();
      text += "; the access log is opened again";
    }
    new StatusLines(out).print(text);
  }
}
