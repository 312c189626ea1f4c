package dev.peregrine.cli;

import dev.peregrine.server.observe.DrainResult;
import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Prints what happens to a server that runs, a line each, with the time of day. */
final class StatusLines {
  private static final String TIME = "uuuu-MM-dd HH:mm:ss"; // as in the log

  private final PrintStream out;

  StatusLines(PrintStream out) {
    this.out = out;
  }

  void print(String text) {
    out.println(
        LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern(TIME))
            + " "
            + text);
  }

  /**
   * Prints how a server has ended.
   *
   * @param missingLines the lines that the access log lacks
   */
  void printEnd(DrainResult result, long missingLines) {
    List<String> cut = new ArrayList<>();
    add(cut, "requests not received to their end", result.incompleteRequests());
    add(cut, "requests without a response", result.unansweredRequests());
    add(cut, "responses not sent to their end", result.incompleteResponses());
    add(cut, "upgraded connections", result.upgradedConnections());
    add(cut, "blocked event loops", result.blockedLoops());
    List<String> facts = new ArrayList<>();
    facts.add("shut down in " + result.duration().toMillis() + " ms");
    facts.add(cut.isEmpty() ? "nothing was cut short" : "cut short: " + String.join(", ", cut));
    add(facts, "lines missing in the access log:", missingLines);
    print("Peregrine has stopped: " + String.join("; ", facts));
  }

  private static void add(List<String> texts, String what, long count) {
    if (count > 0) {
      texts.add(what + " " + count);
    }
  }
}
