package dev.peregrine.server.fuzz;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Windows;
import dev.peregrine.testing.http2.PlainHpackDecoder;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Follows both directions of a connection, and fails if the server breaks a rule of RFC 9113: its
 * frames, the client's windows and settings, the order of frames on a stream, and the windows that
 * it gives back. The client may break all rules.
 */
final class Http2Oracle {
  private static final int ID_BITS = Integer.MAX_VALUE;
  private static final int NONE = -1;

  /** The flags that the frames of a server may have, by type. */
  private static final int[] FLAGS = {1, 5, 0, 0, 1, 0, 1, 0, 0, 4};

  private final int windowMax; // the largest window that the server gives
  private final FrameSplitter toServer = new FrameSplitter(Http2Script.PREFACE.length);
  private final FrameSplitter fromServer = new FrameSplitter(0);
  private final PlainHpackDecoder decoder = new PlainHpackDecoder();
  private final SortedMap<Integer, Http2Exchange> exchanges = new TreeMap<>();
  private final Deque<Http2Frame> settings = new ArrayDeque<>(); // not acknowledged
  private final Deque<Http2Frame> pings = new ArrayDeque<>(); // of the server, not acknowledged
  private int pingsOfClient; // not acknowledged
  private boolean clientInBlock;
  private boolean settingsSeen;
  private long windowToServer = Http2Windows.DEFAULT; // of the connection
  private long windowFromServer = Http2Windows.DEFAULT;
  private long initialFromServer = Http2Windows.DEFAULT; // of streams
  private int goAwayCode = NONE;
  private int goAwayId = Integer.MAX_VALUE;
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private int blockId; // 0 outside of a block
  private boolean blockEnds;

  Http2Oracle(int windowMax) {
    this.windowMax = windowMax;
  }

  // ---- results ----

  SortedMap<Integer, Http2Exchange> exchanges() {
    return exchanges;
  }

  /** Returns true if the server has sent GOAWAY, or the client can't begin another frame. */
  boolean isAtEnd() {
    return goAwayCode != NONE || clientInBlock || !toServer.isBetweenFrames();
  }

  int goAwayCode() {
    return goAwayCode;
  }

  boolean isSettled() {
    return settings.isEmpty() && pingsOfClient == 0;
  }

  /** Takes the PING frames that the client must acknowledge. */
  Deque<Http2Frame> pings() {
    return pings;
  }

  long windowToServer() {
    return windowToServer;
  }

  long windowFromServer() {
    return windowFromServer;
  }

  long windowFromServer(Http2Exchange exchange) {
    return initialFromServer + exchange.granted;
  }

  /** Fails if the server's last frame is incomplete. */
  void requireWhole() {
    require(fromServer.isBetweenFrames() && blockId == 0, "the last frame is cut short");
  }

  // ---- the client's frames, which may be malformed ----

  void onSent(byte[] bytes) {
    for (Http2Frame frame : toServer.add(bytes)) {
      int id = frame.stream() & ID_BITS;
      switch (frame.type()) {
        case Http2Frame.HEADERS -> onRequest(frame, id);
        case Http2Frame.CONTINUATION -> clientInBlock &= !frame.has(Http2Frame.END_HEADERS);
        case Http2Frame.DATA -> onContent(frame, id);
        case Http2Frame.RST_STREAM -> {
          if (exchanges.containsKey(id)) {
            exchanges.get(id).clientReset = true;
          }
        }
        case Http2Frame.SETTINGS -> {
          if (!frame.has(Http2Frame.ACK)) {
            settings.add(frame);
          }
        }
        case Http2Frame.PING -> pingsOfClient += frame.has(Http2Frame.ACK) ? 0 : 1;
        case Http2Frame.WINDOW_UPDATE -> onGranted(frame, id);
        default -> {}
      }
    }
  }

  private void onRequest(Http2Frame frame, int id) {
    clientInBlock = !frame.has(Http2Frame.END_HEADERS);
    boolean isNew = (id & 1) == 1 && (exchanges.isEmpty() || id > exchanges.lastKey());
    if (isNew) {
      exchanges.put(id, new Http2Exchange(id, Http2Windows.DEFAULT));
    }
    if (exchanges.containsKey(id)) {
      exchanges.get(id).clientEnded |= frame.has(Http2Frame.END_STREAM);
    }
  }

  private void onContent(Http2Frame frame, int id) {
    windowToServer -= frame.payload().length;
    Http2Exchange exchange = exchanges.get(id);
    boolean isMalformed =
        frame.has(Http2Frame.PADDED)
            && (frame.payload().length == 0
                || (frame.payload()[0] & 0xFF) >= frame.payload().length);
    if (exchange != null && !isMalformed) {
      exchange.toServer -= frame.payload().length;
      exchange.sent.writeBytes(frame.content());
      exchange.clientEnded |= frame.has(Http2Frame.END_STREAM);
    }
  }

  private void onGranted(Http2Frame frame, int id) {
    if (frame.payload().length != Integer.BYTES) {
      return;
    }
    int increment = frame.intAt(0) & ID_BITS;
    if (id == 0) {
      windowFromServer += increment;
    } else if (exchanges.containsKey(id)) {
      exchanges.get(id).granted += increment;
    }
  }

  // ---- the server's frames ----

  void onReceived(byte[] bytes) {
    for (Http2Frame frame : fromServer.add(bytes)) {
      require(frame.type() < FLAGS.length, "an unknown type", frame);
      require((frame.flags() & ~FLAGS[frame.type()]) == 0, "unknown flags", frame);
      require(frame.payload().length <= Http2Frame.BYTES_MAX, "a frame too large", frame);
      require(goAwayCode <= 0, "a frame after the end", frame);
      require(settingsSeen || isSettings(frame), "the first frame", frame);
      require(blockId == 0 || frame.is(Http2Frame.CONTINUATION), "within a block", frame);
      receive(frame);
    }
  }

  private static boolean isSettings(Http2Frame frame) {
    return frame.is(Http2Frame.SETTINGS) && !frame.has(Http2Frame.ACK);
  }

  private void receive(Http2Frame frame) {
    int id = frame.stream();
    switch (frame.type()) {
      case Http2Frame.DATA -> onData(frame, exchange(frame));
      case Http2Frame.HEADERS -> {
        blockId = id;
        blockEnds = frame.has(Http2Frame.END_STREAM);
        addToBlock(frame);
      }
      case Http2Frame.CONTINUATION -> {
        require(blockId != 0 && blockId == id, "outside of a block", frame);
        addToBlock(frame);
      }
      case Http2Frame.RST_STREAM -> onReset(frame);
      case Http2Frame.WINDOW_UPDATE -> onUpdate(frame);
      default -> {
        require(id == 0, "a stream", frame);
        receiveForConnection(frame);
      }
    }
  }

  private void receiveForConnection(Http2Frame frame) {
    switch (frame.type()) {
      case Http2Frame.SETTINGS -> {
        if (frame.has(Http2Frame.ACK)) {
          require(!settings.isEmpty() && frame.payload().length == 0, "unexpected", frame);
          apply(settings.remove());
        } else {
          require(!settingsSeen, "settings again", frame);
          settingsSeen = true;
        }
      }
      case Http2Frame.PING -> {
        require(frame.payload().length == Long.BYTES, "a wrong length", frame);
        if (frame.has(Http2Frame.ACK)) {
          require(--pingsOfClient >= 0, "unexpected", frame);
        } else {
          pings.add(frame);
        }
      }
      default -> {
        require(frame.is(Http2Frame.GOAWAY), "not allowed", frame);
        require(frame.lastStream() <= goAwayId, "a larger last stream", frame);
        goAwayId = frame.lastStream();
        goAwayCode = frame.intAt(1);
      }
    }
  }

  private void apply(Http2Frame acknowledged) {
    for (int i = 0; i < acknowledged.payload().length / 6; i++) {
      int value = acknowledged.settingValue(i);
      if (acknowledged.settingId(i) == Http2Frame.INITIAL_WINDOW_SIZE) {
        initialFromServer = value;
      } else if (acknowledged.settingId(i) == Http2Frame.HEADER_TABLE_SIZE) {
        decoder.allow(value < 0 ? Integer.MAX_VALUE : value);
      }
    }
  }

  /** A stream is reset, possibly one that the client has skipped, so that it is closed. */
  private void onReset(Http2Frame frame) {
    int id = frame.stream();
    boolean known = (id & 1) == 1 && !exchanges.isEmpty() && id <= exchanges.lastKey();
    require(known, "a stream that can't be open", frame);
    if (exchanges.containsKey(id)) {
      exchange(frame).onReset(frame.intAt(0));
    }
  }

  private Http2Exchange exchange(Http2Frame frame) {
    Http2Exchange exchange = exchanges.get(frame.stream());
    if (exchange == null) {
      throw new AssertionError("a stream that wasn't opened: " + frame);
    }
    return exchange;
  }

  private void addToBlock(Http2Frame frame) {
    block.writeBytes(frame.payload());
    if (frame.has(Http2Frame.END_HEADERS)) {
      List<Field> fields = decoder.decode(block.toByteArray());
      exchange(frame).onFields(fields, blockEnds);
      block.reset();
      blockId = 0;
    }
  }

  private void onData(Http2Frame frame, Http2Exchange exchange) {
    int length = frame.payload().length;
    windowFromServer -= length;
    exchange.granted -= length;
    boolean fits = windowFromServer >= 0 && windowFromServer(exchange) >= 0;
    require(length == 0 || fits, "beyond a window", frame);
    exchange.onData(frame.payload(), frame.has(Http2Frame.END_STREAM));
  }

  private void onUpdate(Http2Frame frame) {
    int increment = frame.intAt(0);
    require(increment > 0, "no increment", frame);
    int most = windowMax + toServer.incompleteData(); // which counts from its head on
    if (frame.stream() == 0) {
      windowToServer += increment;
      require(windowToServer <= most, "given back too much", frame);
    } else {
      Http2Exchange exchange = exchange(frame);
      exchange.toServer += increment;
      require(exchange.toServer <= most, "given back too much", frame);
    }
  }

  private void require(boolean holds, String otherwise, Http2Frame frame) {
    if (!holds) {
      throw new AssertionError(otherwise + ": " + frame);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
