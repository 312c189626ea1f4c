package dev.peregrine.server.fuzz;

import dev.peregrine.testing.MemorySocket;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends a script in given pieces. If the connection is usable after that, it ends all
 * streams and opens the windows until all responses have arrived; then it checks that as many
 * streams as are allowed can be opened, and that the server has given back all content.
 */
final class Http2Player implements MemorySocket.Peer {
  private static final int WINDOW_WANTED = 200_000;
  private static final int PROBE_BYTES = Http2Frame.BYTES_MAX;
  private static final int PROBES_MAX = 4; // more than a window
  private static final int OK = 200;

  private enum Phase {
    SCRIPT,
    SETTLE,
    OPEN_STREAMS,
    END_STREAMS,
    WINDOW,
    OVER
  }

  private final Http2Script script;
  private final Http2Oracle oracle;
  private final int windowMax;
  private final Deque<byte[]> pieces;
  private final List<Http2Exchange> own = new ArrayList<>(); // streams of this client's checks
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private Phase phase = Phase.SCRIPT;
  private int probes;
  private @Nullable Throwable failure;

  Http2Player(Http2Script script, List<byte[]> pieces, int windowMax) {
    this.script = script;
    this.pieces = new ArrayDeque<>(pieces);
    this.windowMax = windowMax;
    oracle = new Http2Oracle(windowMax);
  }

  Http2Oracle oracle() {
    return oracle;
  }

  /** Fails if anything was wrong up to now. */
  void requireNoFailure() {
    if (failure != null) {
      throw new AssertionError("in phase " + phase + ": " + failure.getMessage(), failure);
    }
  }

  /** Fails if anything is missing at the end. Returns the responses in words. */
  String result() {
    boolean usable = oracle.goAwayCode() < 0;
    require(usable || !script.isCalm(), "GOAWAY " + oracle.goAwayCode());
    StringBuilder text = new StringBuilder();
    for (var entry : oracle.exchanges().entrySet()) {
      Http2Exchange exchange = entry.getValue();
      String path = script.path(entry.getKey());
      if (path != null) {
        boolean whole = script.isCalm() && !path.equals(Http2Site.BROKEN);
        exchange.checkContent(path, whole);
      }
      text.append(exchange.describe()).append('\n');
    }
    require(!script.isCalm() || phase == Phase.OVER, "it ended in phase " + phase);
    return text.toString();
  }

  @Override
  public void receive(byte[] bytes) {
    guard(() -> oracle.onReceived(bytes));
  }

  @Override
  public byte @Nullable [] next() {
    if (failure != null) {
      return null;
    }
    byte[] piece = pieces.poll();
    if (piece == null) {
      batch.reset();
      guard(this::continueChecks);
      piece = batch.size() > 0 && failure == null ? batch.toByteArray() : null;
    }
    if (piece != null) {
      oracle.onSent(piece);
    }
    return piece;
  }

  /** Keeps a failure for the end, because the server must not catch it. */
  private void guard(Runnable check) {
    try {
      check.run();
    } catch (RuntimeException | AssertionError thrown) {
      if (failure == null) {
        failure = thrown;
      }
    }
  }

  private void send(Http2Frame frame) {
    batch.writeBytes(frame.bytes());
  }

  /** Sends the frames of a check, or none at the end. */
  private void continueChecks() {
    while (batch.size() == 0 && phase != Phase.OVER) {
      if (oracle.isAtEnd()) {
        return;
      }
      react();
      if (batch.size() > 0) {
        return;
      }
      step();
    }
  }

  /** Acknowledges, and opens windows. */
  private void react() {
    if (phase == Phase.SCRIPT) {
      phase = Phase.SETTLE;
      send(Http2Frame.settingsAck());
      endStreams();
    }
    while (!oracle.pings().isEmpty()) {
      send(oracle.pings().remove().withFlags(Http2Frame.ACK));
    }
    if (oracle.windowFromServer() < WINDOW_WANTED) {
      send(Http2Frame.windowUpdate(0, WINDOW_WANTED));
    }
    oracle.exchanges().forEach(this::openWindow);
  }

  private void openWindow(int id, Http2Exchange exchange) {
    long window = oracle.windowFromServer(exchange);
    if (!exchange.isOver() && window < WINDOW_WANTED) {
      send(Http2Frame.windowUpdate(id, WINDOW_WANTED - (int) window));
    }
  }

  private void endStreams() {
    oracle
        .exchanges()
        .forEach(
            (id, exchange) -> {
              if (!exchange.isOver() && !script.isCalm()) {
                send(Http2Frame.rst(id, Http2Code.CANCEL));
              } else if (!exchange.isOver() && !exchange.clientEnded) {
                send(Http2Frame.data(id, new byte[0], true));
              }
            });
  }

  private void step() {
    switch (phase) {
      case SETTLE -> {
        requireOver();
        require(oracle.isSettled(), "SETTINGS or PING isn't acknowledged");
        openStreams();
        phase = Phase.OPEN_STREAMS;
      }
      case OPEN_STREAMS -> {
        own.forEach(stream -> require(!stream.isReset(), "refused " + stream.describe()));
        oracle.exchanges().forEach(this::endOwn);
        phase = Phase.END_STREAMS;
      }
      case END_STREAMS -> {
        requireOver();
        own.forEach(
            stream -> require(stream.status() == OK && stream.isComplete(), stream.describe()));
        phase = Phase.WINDOW;
      }
      case WINDOW -> probeWindow();
      default -> throw new AssertionError(phase);
    }
  }

  private void requireOver() {
    oracle
        .exchanges()
        .values()
        .forEach(stream -> require(stream.isOver(), "doesn't end: " + stream.describe()));
  }

  /** Opens as many streams as are allowed. */
  private void openStreams() {
    int id = oracle.exchanges().isEmpty() ? 1 : oracle.exchanges().lastKey() + 2;
    List<Field> fields =
        List.of(
            new Field(":method", "POST"),
            new Field(":scheme", "http"),
            new Field(":path", Http2Site.PIECES),
            new Field(":authority", "a"));
    for (int i = 0; i < Http2Script.STREAMS_MAX && id > 0; i++) {
      send(Http2Frame.headers(id, PlainHpack.block(fields), false));
      id += 2;
    }
  }

  private void endOwn(int id, Http2Exchange exchange) {
    if (!exchange.isOver()) {
      own.add(exchange);
      send(Http2Frame.data(id, new byte[] {'x'}, true));
    }
  }

  /**
   * Sends content on a stream that has ended, which is given back at once: when the next increment
   * comes, nothing may be missing.
   */
  private void probeWindow() {
    if (probes > 0 && oracle.windowToServer() == windowMax) {
      phase = Phase.OVER;
      return;
    }
    require(probes < PROBES_MAX, "the window is " + oracle.windowToServer());
    int bytes = (int) Math.min(PROBE_BYTES, oracle.windowToServer());
    require(bytes > 0, "the window is " + oracle.windowToServer());
    probes++;
    send(Http2Frame.data(oracle.exchanges().lastKey(), new byte[bytes], false));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
