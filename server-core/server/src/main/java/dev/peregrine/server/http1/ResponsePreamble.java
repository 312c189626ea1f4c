package dev.peregrine.server.http1;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.exchange.text.CurrentDate;
import dev.peregrine.server.loop.EventLoop;
import java.nio.charset.StandardCharsets;

/**
 * The beginning of nearly every response, ready to be copied: the status line of 200, Server, Date.
 * The date is updated each second. One per event loop.
 *
 * <p>Technique {@code date} of docs/TECHNIQUES.md, measured by {@code DateBenchmark}.
 */
public final class ResponsePreamble {
  private static final String STATUS_LINE_OK = "HTTP/1.1 200 OK\r\n";
  private static final String DATE_NAME = "Date: ";

  private final CurrentDate date;
  private final byte[] serverLine;
  private final byte[] dateLine;
  private final byte[] lines; // all lines

  public ResponsePreamble(EventLoop loop, String serverName) {
    this.date = new CurrentDate(loop);
    this.serverLine = latin1(serverName.isEmpty() ? "" : "Server: " + serverName + "\r\n");
    this.dateLine = latin1(DATE_NAME + HttpDate.format(0) + "\r\n");
    this.lines = new byte[STATUS_LINE_OK.length() + serverLine.length + dateLine.length];
    put(latin1(STATUS_LINE_OK), 0);
    put(serverLine, STATUS_LINE_OK.length());
    put(dateLine, lines.length - dateLine.length);
  }

  /** Updates the date. Returns true if it may have changed. */
  public boolean refresh() {
    if (!date.refresh()) {
      return false;
    }
    byte[] now = date.value();
    System.arraycopy(now, 0, dateLine, DATE_NAME.length(), now.length);
    put(dateLine, lines.length - dateLine.length);
    return true;
  }

  /** Copies all lines. */
  void copy(byte[] target) {
    System.arraycopy(lines, 0, target, 0, lines.length);
  }

  /** Returns the Server line with its CRLF; empty without a name. */
  byte[] serverLine() {
    return serverLine;
  }

  /** Returns the Date line with its CRLF. */
  public byte[] dateLine() {
    return dateLine;
  }

  /** Returns the number of bytes of all lines. */
  int length() {
    return lines.length;
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void put(byte[] line, int at) {
    System.arraycopy(line, 0, lines, at, line.length);
  }
}
