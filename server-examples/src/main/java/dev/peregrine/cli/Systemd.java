package dev.peregrine.cli;

import dev.peregrine.server.handover.SystemdNotifier;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** Reports to systemd, if this process belongs to a service of {@code Type=notify}. */
final class Systemd {
  private Systemd() {}

  /** Reports that the service is started. A failure is printed, because the server works. */
  static void ready(PrintStream err) {
    if (System.getenv("NOTIFY_SOCKET") == null) {
      return; // without loading the notifier
    }
    try {
      SystemdNotifier systemd = SystemdNotifier.ofProcess();
      if (systemd != null) {
        systemd.ready();
      }
    } catch (IOException | UnsupportedOperationException failure) {
      err.println("peregrine: systemd isn't notified: " + failure.getMessage());
    }
  }

  /**
   * Reports that this process replaces the main process of the service.
   *
   * @throws UncheckedIOException if systemd can't take the message
   */
  static void mainProcess() {
    try {
      SystemdNotifier systemd = SystemdNotifier.ofProcess();
      if (systemd != null) {
        systemd.mainProcess();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("systemd isn't notified: " + failure.getMessage(), failure);
    }
  }
}
