package dev.peregrine.testing.http2;

import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A frame as it is on the wire (RFC 9113, section 4), valid or not. The stream is an int of all 32
 * bits, so that tests can set the reserved one.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Http2Frame(int type, int flags, int stream, byte[] payload) {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int PRIORITY = 2;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PUSH_PROMISE = 5;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;
  public static final int PRIORITY_UPDATE = 16;

  public static final int ACK = 0x1;
  public static final int END_STREAM = 0x1;
  public static final int END_HEADERS = 0x4;
  public static final int PADDED = 0x8;
  public static final int WITH_PRIORITY = 0x20;

  public static final int HEADER_TABLE_SIZE = 1;
  public static final int ENABLE_PUSH = 2;
  public static final int MAX_CONCURRENT_STREAMS = 3;
  public static final int INITIAL_WINDOW_SIZE = 4;
  public static final int MAX_FRAME_SIZE = 5;
  public static final int MAX_HEADER_LIST_SIZE = 6;
  public static final int ENABLE_CONNECT_PROTOCOL = 8;

  public static final int HEAD_BYTES = 9;

  /** The largest payload, unless the receiver permits more. */
  public static final int BYTES_MAX = 16_384;

  private static final List<String> NAMES =
      List.of(
          "DATA",
          "HEADERS",
          "PRIORITY",
          "RST_STREAM",
          "SETTINGS",
          "PUSH_PROMISE",
          "PING",
          "GOAWAY",
          "WINDOW_UPDATE",
          "CONTINUATION");

  // ---- frames to send ----

  public static Http2Frame data(int stream, byte[] content, boolean last) {
    return new Http2Frame(DATA, last ? END_STREAM : 0, stream, content);
  }

  /** A whole header block. */
  public static Http2Frame headers(int stream, byte[] block, boolean last) {
    return new Http2Frame(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, block);
  }

  /** The first part of a header block. */
  public static Http2Frame headersBegin(int stream, byte[] part, boolean last) {
    return new Http2Frame(HEADERS, last ? END_STREAM : 0, stream, part);
  }

  public static Http2Frame continuation(int stream, byte[] part, boolean last) {
    return new Http2Frame(CONTINUATION, last ? END_HEADERS : 0, stream, part);
  }

  /** Returns the bytes of a header block in as many frames as it takes. */
  public static byte[] blockOf(int stream, byte[] block, boolean last) {
    if (block.length <= BYTES_MAX) {
      return headers(stream, block, last).bytes();
    }
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(headersBegin(stream, Arrays.copyOf(block, BYTES_MAX), last).bytes());
    frames.writeBytes(restOf(stream, block, BYTES_MAX));
    return frames.toByteArray();
  }

  /** Returns the bytes of a header block from an index on, in as many frames as it takes. */
  public static byte[] restOf(int stream, byte[] block, int start) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int from = start; from < block.length; from += BYTES_MAX) {
      int to = Math.min(block.length, from + BYTES_MAX);
      byte[] part = Arrays.copyOfRange(block, from, to);
      frames.writeBytes(continuation(stream, part, to == block.length).bytes());
    }
    return frames.toByteArray();
  }

  /** The deprecated priority of RFC 7540. */
  public static Http2Frame priority(int stream, int dependsOn, int weight) {
    return new Http2Frame(
        PRIORITY, 0, stream, ByteBuffer.allocate(5).putInt(dependsOn).put((byte) weight).array());
  }

  public static Http2Frame rst(int stream, Http2Code code) {
    return new Http2Frame(RST_STREAM, 0, stream, ints(code.number()));
  }

  /** Settings as pairs of identifier and value. */
  public static Http2Frame settings(int... pairs) {
    ByteBuffer payload = ByteBuffer.allocate(pairs.length / 2 * 6);
    for (int i = 0; i < pairs.length; i += 2) {
      payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
    }
    return new Http2Frame(SETTINGS, 0, 0, payload.array());
  }

  public static Http2Frame settingsAck() {
    return new Http2Frame(SETTINGS, ACK, 0, new byte[0]);
  }

  public static Http2Frame ping(long data) {
    return new Http2Frame(PING, 0, 0, ByteBuffer.allocate(8).putLong(data).array());
  }

  public static Http2Frame goaway(int lastStream, Http2Code code) {
    return new Http2Frame(GOAWAY, 0, 0, ints(lastStream, code.number()));
  }

  public static Http2Frame windowUpdate(int stream, int increment) {
    return new Http2Frame(WINDOW_UPDATE, 0, stream, ints(increment));
  }

  public static Http2Frame priorityUpdate(int prioritized, String value) {
    return new Http2Frame(
        PRIORITY_UPDATE, 0, 0, Requests.join(ints(prioritized), Requests.bytes(value)));
  }

  public Http2Frame withFlags(int added) {
    return new Http2Frame(type, flags | added, stream, payload);
  }

  /** Returns the frame of DATA or HEADERS with a given number of bytes of padding. */
  public Http2Frame padded(int padding) {
    byte[] padded = new byte[1 + payload.length + padding];
    padded[0] = (byte) padding;
    System.arraycopy(payload, 0, padded, 1, payload.length);
    return new Http2Frame(type, flags | PADDED, stream, padded);
  }

  /** Returns the bytes of the frame. */
  public byte[] bytes() {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Returns the bytes of some frames. */
  public static byte[] bytes(Http2Frame... frames) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Http2Frame frame : frames) {
      bytes.writeBytes(frame.bytes());
    }
    return bytes.toByteArray();
  }

  private static byte[] ints(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  // ---- received frames ----

  public boolean is(int wanted) {
    return type == wanted;
  }

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Returns true if flags are set that the specification doesn't define for frames of the type. */
  boolean hasUndefinedFlags() {
    int defined =
        switch (type) {
          case DATA -> END_STREAM | PADDED;
          case HEADERS -> END_STREAM | END_HEADERS | PADDED | WITH_PRIORITY;
          case CONTINUATION -> END_HEADERS;
          case SETTINGS, PING -> ACK;
          default -> 0;
        };
    return (flags & ~defined) != 0;
  }

  /** Returns the bytes of DATA or HEADERS without padding and priority. */
  public byte[] content() {
    int start = 0;
    int end = payload.length;
    if (has(PADDED)) {
      start = 1;
      end -= payload[0] & 0xFF;
    }
    if (type == HEADERS && has(WITH_PRIORITY)) {
      start += 5;
    }
    if (start > end) {
      throw new AssertionError("padding that is longer than the payload of " + this);
    }
    return Arrays.copyOfRange(payload, start, end);
  }

  /** Returns an int of the payload, at a multiple of four bytes. */
  public int intAt(int index) {
    return ByteBuffer.wrap(payload).getInt(4 * index);
  }

  /** Returns the identifier of a setting. */
  public int settingId(int index) {
    return ByteBuffer.wrap(payload).getShort(6 * index) & 0xFFFF;
  }

  /** Returns the value of a setting. */
  public int settingValue(int index) {
    return ByteBuffer.wrap(payload).getInt(6 * index + 2);
  }

  /** Returns the error code of RST_STREAM or GOAWAY. */
  public Http2Code code() {
    return Http2Code.of(intAt(type == GOAWAY ? 1 : 0));
  }

  /** Returns the last stream of GOAWAY. */
  public int lastStream() {
    return intAt(0);
  }

  /** Returns the debug data of GOAWAY. */
  public String debug() {
    return new String(payload, 8, payload.length - 8, StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    String name = type < NAMES.size() ? NAMES.get(type) : "frame of type " + type;
    String detail =
        switch (type) {
          case RST_STREAM -> " " + Http2Code.describe(intAt(0));
          case GOAWAY ->
              " " + Http2Code.describe(intAt(1)) + " last " + lastStream() + " " + debug();
          case WINDOW_UPDATE -> " +" + intAt(0);
          default -> "";
        };
    return name
        + detail
        + " stream "
        + stream
        + " flags "
        + Integer.toHexString(flags)
        + " of "
        + payload.length
        + " bytes";
  }
}
