package dev.peregrine.server.http1;

import dev.peregrine.server.loop.EventLoop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What nearly every response begins with, ready to be copied: the status line of 200, Server, Date.
 * The date is written anew each second. One per event loop.
 */
final class ResponsePreamble {
  private static final String STATUS_LINE_OK = "HTTP/1.1 200 OK\r\n";
  private static final String DATE_NAME = "Date: ";
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final EventLoop loop;
  private final byte[] serverLine;
  private final byte[] dateLine;
  private final int length;
  private final long[] words; // of all lines; a word goes out in one store
  private long freshUntilNanos;

  ResponsePreamble(EventLoop loop, String serverName) {
    this.loop = loop;
    this.serverLine = latin1(serverName.isEmpty() ? "" : "Server: " + serverName + "\r\n");
    this.dateLine = latin1(DATE_NAME + DateHeader.format(0) + "\r\n");
    this.length = STATUS_LINE_OK.length() + serverLine.length + dateLine.length;
    this.words = new long[(length + Long.BYTES - 1) / Long.BYTES];
    put(latin1(STATUS_LINE_OK), 0);
    put(serverLine, STATUS_LINE_OK.length());
    put(dateLine, length - dateLine.length);
    this.freshUntilNanos = loop.nanos();
  }

  /** Brings the date up to now. */
  void refresh() {
    long nowNanos = loop.nanos();
    if (nowNanos - freshUntilNanos < 0) {
      return;
    }
    long millis = System.currentTimeMillis();
    byte[] date = latin1(DateHeader.format(Math.floorDiv(millis, 1000L)));
    System.arraycopy(date, 0, dateLine, DATE_NAME.length(), date.length);
    put(dateLine, length - dateLine.length);
    long restMillis = 1000 - Math.floorMod(millis, 1000L);
    freshUntilNanos = nowNanos + Math.min(SECOND_NANOS, TimeUnit.MILLISECONDS.toNanos(restMillis));
  }

  /** Copies all lines, and up to seven bytes behind them. Returns the index behind the lines. */
  long copy(MemorySegment target, long at) {
    for (int i = 0; i < words.length; i++) {
      target.set(ValueLayout.JAVA_LONG_UNALIGNED, at + (long) i * Long.BYTES, words[i]);
    }
    return at + length;
  }

  /** The Server line with its CRLF; empty if there is none. */
  byte[] serverLine() {
    return serverLine;
  }

  /** The Date line with its CRLF. */
  byte[] dateLine() {
    return dateLine;
  }

  /** Bytes of all lines. */
  int length() {
    return length;
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void put(byte[] line, int at) {
    MemorySegment.copy(
        line, 0, MemorySegment.ofArray(words), ValueLayout.JAVA_BYTE, at, line.length);
  }
}
