package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.OutboundQueue;
import java.nio.charset.StandardCharsets;

/**
 * Writes the frames that carry no content of a message (RFC 9113 section 6). One per event loop.
 */
public final class Control {
  private static final int SETTINGS_ROOM = 8;
  private static final byte[] NO_TEXT = {};

  /** The longest text of a GOAWAY. */
  static final int DEBUG_MAX = 32;

  private final byte[] frame =
      new byte[2 * Frame.HEAD_BYTES + SETTINGS_ROOM * Frame.SETTING_BYTES + Integer.BYTES];

  /**
   * Writes the server's settings and a larger window of the connection.
   *
   * @param extra the bytes by which the window is larger than the initial one
   */
  public void begin(OutboundQueue out, LocalSettings settings, int extra) {
    int at = Frame.HEAD_BYTES;
    at = setting(at, Setting.MAX_CONCURRENT_STREAMS, settings.streamsMax());
    at = setting(at, Setting.MAX_HEADER_LIST_SIZE, settings.headerBytesMax());
    at = setting(at, Setting.ENABLE_CONNECT_PROTOCOL, 1);
    at = setting(at, Setting.NO_RFC7540_PRIORITIES, 1);
    if (settings.streamWindow() != Setting.WINDOW_DEFAULT) {
      at = setting(at, Setting.INITIAL_WINDOW_SIZE, settings.streamWindow());
    }
    int ignored = Frame.head(frame, 0, at - Frame.HEAD_BYTES, Frame.SETTINGS, 0, 0);
    if (extra > 0) {
      at = Frame.head(frame, at, Integer.BYTES, Frame.WINDOW_UPDATE, 0, 0);
      at = Frame.word(frame, at, extra);
    }
    out.appendCopy(frame, 0, at);
  }

  private int setting(int at, int setting, int value) {
    frame[at] = (byte) (setting >>> 8);
    frame[at + 1] = (byte) setting;
    return Frame.word(frame, at + 2, value);
  }

  public void settingsAcknowledgement(OutboundQueue out) {
    out.appendCopy(frame, 0, Frame.head(frame, 0, 0, Frame.SETTINGS, Frame.ACK, 0));
  }

  public void windowUpdate(OutboundQueue out, int stream, int increment) {
    word(out, Frame.WINDOW_UPDATE, stream, increment);
  }

  public void reset(OutboundQueue out, int stream, int code) {
    word(out, Frame.RST_STREAM, stream, code);
  }

  private void word(OutboundQueue out, int type, int stream, int value) {
    int at = Frame.head(frame, 0, Integer.BYTES, type, 0, stream);
    out.appendCopy(frame, 0, Frame.word(frame, at, value));
  }

  public void ping(OutboundQueue out, long data) {
    ping(out, 0, data);
  }

  public void pingAcknowledgement(OutboundQueue out, long data) {
    ping(out, Frame.ACK, data);
  }

  private void ping(OutboundQueue out, int flags, long data) {
    int at = Frame.head(frame, 0, Frame.PING_BYTES, Frame.PING, flags, 0);
    at = Frame.word(frame, at, (int) (data >>> Integer.SIZE));
    out.appendCopy(frame, 0, Frame.word(frame, at, (int) data));
  }

  public void goAway(OutboundQueue out, int lastStream, int code) {
    goAway(out, lastStream, code, "");
  }

  /**
   * Writes the end of a connection.
   *
   * @param debug text for the client in ASCII, at most {@link #DEBUG_MAX} characters
   */
  public void goAway(OutboundQueue out, int lastStream, int code, String debug) {
    byte[] text = debug.isEmpty() ? NO_TEXT : debug.getBytes(StandardCharsets.US_ASCII);
    int at = Frame.head(frame, 0, 2 * Integer.BYTES + text.length, Frame.GOAWAY, 0, 0);
    at = Frame.word(frame, at, lastStream);
    at = Frame.word(frame, at, code);
    System.arraycopy(text, 0, frame, at, text.length);
    out.appendCopy(frame, 0, at + text.length);
  }
}
