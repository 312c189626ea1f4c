package dev.peregrine.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Failures for lack of file descriptors, which clients can cause: each connection takes one. The
 * JDK reports them by their text only.
 */
public final class DescriptorShortage {
  /** The measures that an operator can take, for the log. */
  public static final String REMEDY =
      "raise the limit of open files (LimitNOFILE, ulimit -n), or lower connectionsMax";

  private static final String TEXT = "Too many open files"; // of EMFILE, and the begin of ENFILE's
  private static final int CAUSES_MAX = 8;

  private DescriptorShortage() {}

  /** Returns true if a failure, or a cause of it, is a lack of descriptors. */
  public static boolean isCauseOf(@Nullable Throwable failure) {
    Throwable seen = failure;
    for (int i = 0; i < CAUSES_MAX && seen != null; i++) {
      boolean ofIo = seen instanceof IOException || seen instanceof UncheckedIOException;
      String text = ofIo ? seen.getMessage() : null;
      if (text != null && text.contains(TEXT)) {
        return true;
      }
      seen = seen.getCause();
    }
    return false;
  }
}
