package dev.peregrine.testing;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Prints the reason why tests are skipped, once for each class and reason, so that a build shows
 * what it didn't test. Registered for all tests.
 */
public final class SkipNotes implements TestWatcher {
  private static final Set<String> PRINTED = ConcurrentHashMap.newKeySet();

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    print(context, String.valueOf(cause.getMessage()).replaceFirst("^Assumption failed: ", ""));
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    print(context, reason.orElse("no reason given"));
  }

  private static void print(ExtensionContext context, String reason) {
    String line = "SKIPPED: " + context.getRequiredTestClass().getSimpleName() + ": " + reason;
    if (PRINTED.add(line)) {
      System.out.println(line);
    }
  }
}
