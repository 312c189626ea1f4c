package dev.peregrine.server.fuzz;

import static dev.peregrine.testing.http2.Http2Frame.END_HEADERS;
import static dev.peregrine.testing.http2.Http2Frame.END_STREAM;
import static dev.peregrine.testing.http2.Http2Frame.WITH_PRIORITY;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client sends, made from an input of the fuzzer: either the input itself after a
 * valid beginning, or the frames of a program that the input encodes. A calm program keeps all
 * rules, and its responses don't depend on how the bytes are divided. Other programs reset streams,
 * end early and break rules.
 */
final class Http2Script {
  static final int STREAMS_MAX = 20;
  static final byte[] PREFACE = Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

  private static final int CALM_OPERATIONS = 11;
  private static final int OPERATIONS = 16;
  private static final int CALM_LENGTH_MAX = 100; // operations, so that no budget is spent
  private static final int CALM_CONTENT_MAX = 36_000; // bytes, so that no window is full
  private static final int PADDING_MAX = 255;
  private static final String TABLE_FIELD = "x-kept";

  /** A request, as far as it was sent. */
  private record Sent(int id, boolean canHaveTrailers) {}

  private final byte[] input;
  private int at;
  private final boolean calm;
  private boolean known = true; // the requests are those that the program has written
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<Sent> open = new ArrayList<>();
  private final Map<Integer, String> paths = new HashMap<>();
  private int lastId = -1;
  private int contentBytes;
  private boolean inserted; // a field is in the dynamic table

  Http2Script(byte[] input) {
    this.input = input;
    int mode = next() & 3;
    calm = mode < 2;
    out.writeBytes(PREFACE);
    out.writeBytes(settings().bytes());
    if (mode == 3) {
      known = false;
      out.write(input, at, input.length - at);
      return;
    }
    for (int i = 0; at < input.length && (!calm || i < CALM_LENGTH_MAX); i++) {
      operate(next() % (calm ? CALM_OPERATIONS : OPERATIONS));
    }
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  boolean isCalm() {
    return calm;
  }

  /** Returns the path of a request; {@code *} for CONNECT, null if the request is unknown. */
  @Nullable String path(int id) {
    return known ? paths.get(id) : null;
  }

  private int next() {
    return at < input.length ? input[at++] & 0xFF : 0;
  }

  private void add(Http2Frame frame) {
    out.writeBytes(frame.bytes());
  }

  private void operate(int operation) {
    switch (operation) {
      case 0, 1, 2 -> request();
      case 3, 4 -> content();
      case 5 -> whole();
      case 6 -> trailers();
      case 7 -> add(Http2Frame.windowUpdate(next() % 2 == 0 ? 0 : streamId(), 1 + 256 * next()));
      case 8 -> add(settings());
      case 9 -> add(Http2Frame.ping(at));
      case 10 -> ignored();
      case 11 -> add(Http2Frame.rst(streamId(), Http2Code.of(next() % 14)));
      case 12 -> add(Http2Frame.goaway(0, Http2Code.NO_ERROR));
      case 13 -> anyFrame();
      case 14 -> corrupt();
      default -> cutShort();
    }
  }

  // ---- requests ----

  private void request() {
    if (calm && paths.size() == STREAMS_MAX) {
      return;
    }
    int choice = next();
    int flags = next();
    boolean connect = choice == 255;
    String path = Http2Site.PATHS.get(choice % (Http2Site.PATHS.size() - (calm ? 1 : 0)));
    int id = begin(connect ? "*" : path);
    boolean ends = (flags & 1) != 0;
    List<Field> fields = new ArrayList<>();
    fields.add(new Field(":method", connect ? "CONNECT" : "POST"));
    if (!connect) {
      fields.add(new Field(":scheme", "http"));
      fields.add(new Field(":path", path));
    }
    fields.add(new Field(":authority", connect ? "a:1" : "a"));
    if ((flags & 0x40) != 0) {
      fields.add(new Field("priority", "u=" + flags % 8 + ", i"));
    }
    if ((flags & 0x80) != 0 && !ends && !connect) {
      fields.add(new Field("expect", "100-continue"));
    }
    byte[] block = PlainHpack.block(fields);
    if ((flags & 0x20) != 0) {
      byte[] last = inserted ? PlainHpack.indexed(62) : PlainHpack.inserted(TABLE_FIELD, "a value");
      inserted = true;
      block = Requests.join(block, last);
    }
    addBlock(id, block, flags, ends);
    if (!ends) {
      open.add(new Sent(id, !connect));
    }
  }

  private int begin(String path) {
    lastId += 2;
    paths.put(lastId, path);
    return lastId;
  }

  private void addBlock(int id, byte[] block, int flags, boolean ends) {
    int end = ends ? END_STREAM : 0;
    int cut = (flags & 8) != 0 ? block.length / 2 : block.length;
    byte[] first = Arrays.copyOf(block, cut);
    if ((flags & 4) != 0) {
      first = Requests.join(new byte[] {0, 0, 0, 0, 7}, first);
      end |= WITH_PRIORITY;
    }
    int last = cut == block.length ? END_HEADERS : 0;
    Http2Frame frame = new Http2Frame(Http2Frame.HEADERS, end | last, id, first);
    add((flags & 2) != 0 ? frame.padded(flags) : frame);
    if (last == 0) {
      add(Http2Frame.continuation(id, Arrays.copyOfRange(block, cut, block.length), true));
    }
  }

  /** A request with its content and the length of that. */
  private void whole() {
    if (calm && paths.size() == STREAMS_MAX) {
      return;
    }
    String path = Http2Site.PATHS.get(next() % (Http2Site.PATHS.size() - 1));
    byte[] content = takeContent(next());
    int id = begin(path);
    List<Field> fields =
        List.of(
            new Field(":method", "PUT"),
            new Field(":scheme", "http"),
            new Field(":path", path),
            new Field("host", "a"),
            new Field("content-length", Integer.toString(content.length)));
    add(Http2Frame.headers(id, PlainHpack.block(fields), false));
    add(Http2Frame.data(id, content, true));
  }

  private byte[] takeContent(int size) {
    int bytes = size * size / 4;
    if (calm) {
      bytes = Math.clamp(CALM_CONTENT_MAX - contentBytes, 0, bytes);
    }
    contentBytes += bytes;
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) ('a' + size % 26));
    return content;
  }

  private void content() {
    if (open.isEmpty()) {
      return;
    }
    int index = next() % open.size();
    int flags = next();
    int id = open.get(index).id();
    boolean ends = (flags & 1) != 0;
    Http2Frame frame = Http2Frame.data(id, takeContent(next()), ends);
    int padding = (flags & 2) != 0 ? flags : 0;
    if (padding > 0 && frame.payload().length + PADDING_MAX + 1 <= Http2Frame.BYTES_MAX) {
      contentBytes += padding + 1;
      frame = frame.padded(padding);
    }
    add(frame);
    if (ends) {
      open.remove(index);
    }
  }

  private void trailers() {
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).canHaveTrailers()) {
        add(Http2Frame.headers(open.get(i).id(), PlainHpack.literal("x-trailer", "yes"), true));
        open.remove(i);
        return;
      }
    }
  }

  // ---- other frames ----

  private int streamId() {
    return lastId < 1 ? 0 : 1 + 2 * (next() % ((lastId + 1) / 2));
  }

  private Http2Frame settings() {
    return switch (next() % 6) {
      case 0 -> Http2Frame.settings();
      case 1 -> Http2Frame.settings(Http2Frame.INITIAL_WINDOW_SIZE, 1000 * next());
      case 2 -> Http2Frame.settings(Http2Frame.HEADER_TABLE_SIZE, 64 * next());
      case 3 -> Http2Frame.settings(Http2Frame.MAX_FRAME_SIZE, Http2Frame.BYTES_MAX + next());
      case 4 -> Http2Frame.settings(Http2Frame.ENABLE_PUSH, 0, Http2Frame.HEADER_TABLE_SIZE, 0);
      default ->
          Http2Frame.settings(
              Http2Frame.INITIAL_WINDOW_SIZE, 0, Http2Frame.INITIAL_WINDOW_SIZE, next());
    };
  }

  private void ignored() {
    int id = streamId();
    switch (next() % 3) {
      case 0 -> add(Http2Frame.priority(id == 0 ? 1 : id, 0, 1));
      case 1 -> add(Http2Frame.priorityUpdate(id == 0 ? 1 : id, "u=" + next() % 8));
      default -> add(new Http2Frame(32 + next() % 200, next(), id, new byte[next()]));
    }
  }

  private void anyFrame() {
    known = false;
    int type = next() % 17;
    int flags = next();
    int id = next() % 64;
    int length = Math.min(next() % 32, input.length - at);
    byte[] payload = Arrays.copyOfRange(input, at, at + length);
    at += length;
    add(new Http2Frame(type, flags, id, payload));
  }

  /** Changes one of the last bytes. */
  private void corrupt() {
    byte[] bytes = out.toByteArray();
    int index = bytes.length - 1 - next() % 64;
    if (index >= PREFACE.length) {
      known = false;
      bytes[index] = (byte) next();
      out.reset();
      out.writeBytes(bytes);
    }
  }

  /** Takes some of the last bytes away. */
  private void cutShort() {
    byte[] bytes = out.toByteArray();
    int length = bytes.length - next() % 32;
    if (length >= PREFACE.length) {
      known = false;
      out.reset();
      out.write(bytes, 0, length);
    }
  }
}
