package dev.peregrine.server.fuzz;

import dev.peregrine.server.MemoryServer;
import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.MemorySocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Checks whole connections of HTTP/2 against {@link Http2Oracle}, for several cuts and sizes of
 * writes. Responses to a client that keeps the rules are the same for every cut. All handlers are
 * notified of the end, all content is given back, no stream and no memory is left, no problem is
 * logged, and no connection stays open.
 */
final class Http2ConnectionTarget implements AutoCloseable {
  private static final int WINDOW_MAX = 65_535; // so that no window grows
  private static final int HIGH_WATER = 8 * 1024; // less than some responses
  private static final int FLOOD_POINTS = 4_000;
  private static final int SHORT_WRITE_BYTES = 700;
  private static final int PIECES_MAX = 2_000;

  private static final ServerLimits LIMITS =
      ServerLimits.builder()
          .loopBlockedTime(Duration.ofMinutes(1))
          .outboundHighWater(HIGH_WATER)
          .outboundLowWater(HIGH_WATER / 2)
          .http2(new Http2Limits(Http2Script.STREAMS_MAX, WINDOW_MAX, FLOOD_POINTS))
          .build();

  /** Programs, see {@link Http2Script}: calm ones, others, and frames of the bytes themselves. */
  private static final String[] SEEDS = {
    "0000" + "000001" + "000101" + "000b01",
    "0001c8" + "000200" + "0300003c" + "03000101",
    "0005ff" + "000300" + "03000250" + "06" + "000400" + "0303ff20" + "0303010a",
    "0001010a" + "000501" + "0007fe01" + "0700ff" + "000101" + "0701ff",
    "000220" + "00ff20" + "0300006e" + "000628" + "00040e" + "000541" + "050280" + "0501ff",
    "0000" + "000880" + "03000210" + "000982" + "000a00" + "0a00" + "0a0101" + "0a02050103" + "09",
    "0203" + "000100" + "000c00" + "030050" + "0b0108" + "000501" + "0b0200",
    "0200" + "000c00" + "000100" + "0c" + "000201" + "00ff00",
    "0002200" + "0ff47" + "0700ff",
    "0203" + "000100" + "000c00" + "0c" + "000501",
    "0201c8" + "000501" + "0d0800" + "0104" + "00010000" + "0e0507" + "0f05",
    "0300" + "00000401050000000100820084860000" + "000008060000000000" + "0102030405060708",
    "0300" + "0000030105000000018286840000050001000000016162636465",
  };

  private final Http2Site site = new Http2Site();
  private @Nullable MemoryServer server;

  static List<byte[]> seeds() {
    return Arrays.stream(SEEDS).map(HexFormat.of()::parseHex).toList();
  }

  void run(byte[] data) {
    MemoryServer started = server;
    if (started == null) {
      started = new MemoryServer(site, LIMITS, site);
      started.expectLogged(Http2Site.BROKEN_OFF);
      server = started;
    }
    Http2Script script = new Http2Script(data);
    byte[] bytes = script.bytes();
    String expected = converse(started, script, List.of(bytes), Integer.MAX_VALUE);
    int most = Math.max(1, bytes.length / PIECES_MAX);
    for (boolean equal : new boolean[] {true, false}) {
      List<byte[]> pieces = pieces(bytes, equal ? most : 40 * most, equal);
      int writeBytes = equal ? SHORT_WRITE_BYTES : Integer.MAX_VALUE;
      String result = converse(started, script, pieces, writeBytes);
      if (script.isCalm() && !result.equals(expected)) {
        throw new AssertionError("in pieces:\n" + result + "instead of:\n" + expected);
      }
    }
  }

  private static List<byte[]> pieces(byte[] bytes, int bytesMax, boolean equal) {
    SplittableRandom random = new SplittableRandom(Arrays.hashCode(bytes));
    List<byte[]> pieces = new ArrayList<>();
    int to;
    for (int from = 0; from < bytes.length; from = to) {
      int count = equal ? bytesMax : 1 + random.nextInt(bytesMax);
      to = Math.min(bytes.length, from + count);
      pieces.add(Arrays.copyOfRange(bytes, from, to));
    }
    return pieces;
  }

  private String converse(
      MemoryServer started, Http2Script script, List<byte[]> pieces, int writeBytes) {
    Http2Player player = new Http2Player(script, pieces, WINDOW_MAX);
    MemorySocket socket = new MemorySocket(player, writeBytes);
    try {
      started.converse(socket);
    } finally {
      player.requireNoFailure(); // because others follow from it
    }
    String result = player.result();
    if (!socket.isReset()) {
      player.oracle().requireWhole();
    }
    site.requireAllEnded();
    return result;
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
