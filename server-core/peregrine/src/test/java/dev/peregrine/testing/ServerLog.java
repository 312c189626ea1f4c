package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * Records what the server logs, in place of printing it. Reports of the watchdog are kept apart: on
 * a loaded machine every loop may be late, so a test sees them only if it takes them.
 */
public final class ServerLog implements AutoCloseable {
  // A strong reference, because the log manager has a weak one, and the settings would be lost with
  // the logger.
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Pattern REPORT =
      Pattern.compile("(?s)\\S+ (has been|was) busy for [0-9]+ ms.*");

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final List<LogRecord> reports = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          (isReport(record) ? reports : records).add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public ServerLog() {
    handler.setLevel(Level.ALL);
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  private static boolean isReport(LogRecord record) {
    return REPORT.matcher(record.getMessage()).matches();
  }

  /** Takes the reports of the watchdog about loops and handlers that are late. */
  public List<LogRecord> takeReports() {
    List<LogRecord> taken = List.copyOf(reports);
    reports.removeAll(taken);
    return taken;
  }

  /** Waits for a first report of the watchdog, then takes all of them. */
  public List<LogRecord> awaitReports() {
    Await.until("the watchdog reports", () -> !reports.isEmpty());
    return takeReports();
  }

  /** Takes the records of that level or above out of the log. */
  public synchronized List<LogRecord> take(Level least) {
    List<LogRecord> taken = new ArrayList<>();
    for (LogRecord record : records) {
      if (record.getLevel().intValue() >= least.intValue()) {
        taken.add(record);
      }
    }
    records.removeAll(taken);
    return taken;
  }

  /**
   * Returns how many of the periods for which the server bounds the lines of a cause have begun
   * since that time, which is one unless the machine is starved.
   */
  public static int periodsSince(long startNanos) {
    return 1 + (int) ((System.nanoTime() - startNanos) / PERIOD_NANOS);
  }

  /** Waits for a first record of that level or above, then takes all of them. */
  public List<LogRecord> await(Level least) {
    Await.until(
        "something is logged at " + least,
        () ->
            records.stream().anyMatch(record -> record.getLevel().intValue() >= least.intValue()));
    return take(least);
  }

  /** Waits for a record of that level or above with a text, taking all records until then. */
  public void awaitText(Level least, String text) {
    List<String> taken = new ArrayList<>();
    Await.until(
        () -> "\"" + text + "\" is logged: " + taken,
        () -> {
          take(least).forEach(record -> taken.add(describe(record)));
          return taken.stream().anyMatch(line -> line.contains(text));
        });
  }

  /** Waits for a record of that level or above, and asserts that it is the only one. */
  public void expectOne(Level least, String text) {
    assertThat(await(least))
        .singleElement()
        .extracting(ServerLog::describe)
        .asString()
        .contains(text);
  }

  /** Returns a record as text, with its exception. */
  public static String describe(LogRecord record) {
    Throwable thrown = record.getThrown();
    return record.getLevel() + " " + record.getMessage() + (thrown == null ? "" : ": " + thrown);
  }
}
