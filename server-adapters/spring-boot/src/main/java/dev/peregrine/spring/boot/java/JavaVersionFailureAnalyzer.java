package dev.peregrine.spring.boot.java;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot report an older Java by a sentence in place of a stack. */
public final class JavaVersionFailureAnalyzer extends AbstractFailureAnalyzer<OlderJavaException> {
  /** Creates the analyzer. */
  public JavaVersionFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, OlderJavaException cause) {
    return new FailureAnalysis(
        cause.getMessage(),
        "Start the application with Java " + JavaVersionCheck.LEAST + ", or use another server.",
        cause);
  }
}
