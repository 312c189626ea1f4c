package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.head.HeadTable;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client (RFC 9113 section 6.5.2), as far as they concern the server's output.
 */
public final class PeerSettings {
  private final StreamTable<?> streams;
  private final HeadTable table;
  private int initialWindow = Setting.WINDOW_DEFAULT;

  public PeerSettings(StreamTable<?> streams, HeadTable table) {
    this.streams = streams;
    this.table = table;
  }

  /** Returns the window that the client gives a new stream. */
  public int initialWindow() {
    return initialWindow;
  }

  /** Takes a setting. Returns the reason why it is wrong, or null. */
  public @Nullable Violation take(int setting, int value) {
    return switch (setting) {
      case Setting.HEADER_TABLE_SIZE -> {
        table.resize(value);
        yield null;
      }
      case Setting.ENABLE_PUSH, Setting.NO_RFC7540_PRIORITIES ->
          value == 0 || value == 1 ? null : Violation.SETTING_VALUE;
      case Setting.INITIAL_WINDOW_SIZE ->
          value < 0 ? Violation.SETTING_WINDOW : changeInitialWindow(value);
      case Setting.MAX_FRAME_SIZE ->
          value >= Frame.PAYLOAD_BYTES_MAX && value <= Setting.FRAME_SIZE_MAX
              ? null
              : Violation.SETTING_VALUE;
      default -> null;
    };
  }

  private @Nullable Violation changeInitialWindow(int bytes) {
    int change = bytes - initialWindow;
    initialWindow = bytes;
    for (int i = 0; i < streams.count(); i++) {
      if (!streams.get(i).outbound().grow(change)) {
        return Violation.SETTING_WINDOW;
      }
    }
    return null;
  }
}
