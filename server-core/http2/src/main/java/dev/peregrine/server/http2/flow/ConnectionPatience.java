package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.Violation;
import org.jspecify.annotations.Nullable;

/** How long a connection waits for the rest of a field block, and for its settings to be known. */
public final class ConnectionPatience {
  private final long limitNanos;
  private final long openedNanos;
  private boolean settingsAcknowledged;
  private long blockNanos; // when the present field block began
  private long frameNanos; // when the present incomplete frame began
  private boolean frameIncomplete;

  public ConnectionPatience(long limitNanos, long nowNanos) {
    this.limitNanos = limitNanos;
    this.openedNanos = nowNanos;
  }

  public void onBlockBegin(long nowNanos) {
    blockNanos = nowNanos;
  }

  /**
   * Frames were read.
   *
   * @param incomplete whether a part of a frame is left
   * @param progress whether one before it was complete
   */
  public void onFrames(boolean incomplete, boolean progress, long nowNanos) {
    if (incomplete && (progress || !frameIncomplete)) {
      frameNanos = nowNanos;
    }
    frameIncomplete = incomplete;
  }

  /** The client has acknowledged the settings. Returns false if it had done so before. */
  public boolean onSettingsAcknowledged() {
    boolean first = !settingsAcknowledged;
    settingsAcknowledged = true;
    return first;
  }

  /** Returns what the client is late with, or null. */
  public @Nullable Violation violation(boolean isInBlock, long nowNanos) {
    boolean blockLate = isInBlock && nowNanos - blockNanos > limitNanos;
    if (blockLate || (frameIncomplete && nowNanos - frameNanos > limitNanos)) {
      return Violation.BLOCK_TOO_SLOW;
    }
    return !settingsAcknowledged && nowNanos - openedNanos > limitNanos
        ? Violation.SETTINGS_UNACKNOWLEDGED
        : null;
  }
}
