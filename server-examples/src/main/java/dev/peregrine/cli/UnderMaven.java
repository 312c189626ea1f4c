package dev.peregrine.cli;

import java.util.concurrent.CompletableFuture;

/**
 * Runs {@link Main} for {@code ./mvnw -Prun}, and ends with the process that has started it:
 * otherwise a server would be left if Maven gets SIGTERM, which it doesn't pass on.
 */
final class UnderMaven {
  private static final int STATUS = 128 + 15; // as after SIGTERM

  private UnderMaven() {}

  public static void main(String[] args) {
    ProcessHandle.current().parent().ifPresent(UnderMaven::endWith);
    Main.main(args);
  }

  private static void endWith(ProcessHandle other) {
    CompletableFuture<Void> ignored = other.onExit().thenRun(() -> System.exit(STATUS));
  }
}
