package dev.peregrine.server.http1;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.Block;
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
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final EventLoop loop;
  private final Block block;
  private final int serverFrom;
  private final int dateFrom;
  private final int dateValueFrom;
  private final int length;
  private long freshUntilNanos;

  ResponsePreamble(EventLoop loop, String serverName) {
    this.loop = loop;
    String server = serverName.isEmpty() ? "" : "Server: " + serverName + "\r\n";
    String text = STATUS_LINE_OK + server + "Date: " + DateHeader.format(0) + "\r\n";
    this.serverFrom = STATUS_LINE_OK.length();
    this.dateFrom = serverFrom + server.length();
    this.dateValueFrom = dateFrom + "Date: ".length();
    this.length = text.length();
    this.block = loop.arena().acquire(length);
    put(text, 0);
    this.freshUntilNanos = loop.nanos();
  }

  /** Brings the date up to now. */
  void refresh() {
    long nowNanos = loop.nanos();
    if (nowNanos - freshUntilNanos < 0) {
      return;
    }
    long millis = System.currentTimeMillis();
    long second = Math.floorDiv(millis, 1000L);
    put(DateHeader.format(second), dateValueFrom);
    long restMillis = 1000 - Math.floorMod(millis, 1000L);
    freshUntilNanos = nowNanos + Math.min(SECOND_NANOS, TimeUnit.MILLISECONDS.toNanos(restMillis));
  }

  /** The bytes, from index 0. */
  MemorySegment segment() {
    return block.segment();
  }

  /** Where the Server line begins, and the status line ends. */
  int serverFrom() {
    return serverFrom;
  }

  /** Where the Date line begins, and the Server line ends. */
  int dateFrom() {
    return dateFrom;
  }

  int length() {
    return length;
  }

  void close() {
    loop.arena().release(block);
  }

  private void put(String text, int at) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    MemorySegment.copy(bytes, 0, block.segment(), ValueLayout.JAVA_BYTE, at, bytes.length);
  }
}
