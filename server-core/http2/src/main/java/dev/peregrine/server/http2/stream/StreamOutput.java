package dev.peregrine.server.http2.stream;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.flow.OutboundContent;
import dev.peregrine.server.http2.flow.StreamState;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a stream, for its exchange or its tunnel. Content is sent at once if the windows
 * permit it; otherwise it waits. After the end of the stream it is dropped.
 */
final class StreamOutput {
  private final LoopParts loop;
  private final StreamState state;
  private final OutboundContent content;
  private @Nullable Trunk trunk;
  private int id;
  private boolean roomAwaited; // the exchange or tunnel waits for a call back

  StreamOutput(LoopParts loop, StreamState state) {
    this.loop = loop;
    this.state = state;
    this.content = new OutboundContent(state, loop.sending);
  }

  /**
   * Begins with a stream.
   *
   * @param window the bytes of content that the client takes
   */
  void begin(Trunk of, int streamId, int window) {
    trunk = of;
    id = streamId;
    roomAwaited = false;
    content.begin(streamId, window, of.nanos());
  }

  /** Releases the connection, because the stream is over. */
  void end() {
    trunk = null;
  }

  OutboundContent content() {
    return content;
  }

  int id() {
    return id;
  }

  /** Returns what the streams of the connection share. */
  Trunk trunk() {
    return Objects.requireNonNull(trunk);
  }

  Connection connection() {
    return trunk().connection();
  }

  // ---- content ----

  /** Takes the room for content that is sent with its head. Returns false if it doesn't fit. */
  boolean take(int bytes) {
    return trunk().output().take(content, bytes, trunk().nanos());
  }

  /** Sends bytes of an array, which isn't changed until they are sent. */
  void write(byte[] source, int from, int length) {
    if (state.isLive() && length > 0) {
      content.queue().add(source, from, length);
      request();
    }
  }

  /** Sends the remaining bytes of a buffer, which isn't changed until they are sent. */
  void write(ByteBuffer source) {
    if (state.isLive() && source.hasRemaining()) {
      content.queue().add(source);
      request();
    }
  }

  /** Sends the first bytes of a block, which is taken over. */
  void write(Block source, int length) {
    if (state.isLive()) {
      content.queue().add(source, length);
      request();
    } else {
      loop.sending.pool().release(source);
    }
  }

  /** Sends a part of a file, and takes over one use of it. */
  void write(OpenFile source, long position, long length) {
    if (state.isLive()) {
      content.queue().add(source, position, length);
      request();
    } else {
      source.release();
    }
  }

  /** Sends a copy of bytes, at once if that is possible. */
  void writeCopy(MemorySegment source, long from, int length) {
    if (state.isLive() && length > 0 && !sendNow(source, from, length)) {
      addCopy(source, from, length);
      request();
    }
  }

  private boolean sendNow(MemorySegment source, long from, int length) {
    Trunk shared = trunk();
    return shared.isBelowHighWater()
        && shared.output().sendNow(content, source, from, length, shared.nanos());
  }

  /** Adds a copy of bytes to those that wait. */
  void addCopy(MemorySegment source, long from, int length) {
    content.queue().addCopy(source, from, length);
  }

  private void request() {
    trunk().output().request();
  }

  /** Ends the content, and sends its first frame at once if that is possible. */
  void end(FieldLines trailers) {
    if (!state.isLive()) {
      return;
    }
    content.end(trailers);
    Trunk shared = trunk();
    if (shared.isBelowHighWater()) {
      shared.output().sendFirst(content, shared.nanos());
    } else {
      shared.output().request();
    }
    if (content.isOver()) {
      shared.serveLater();
    }
  }

  /** Resets a stream that is live. */
  void reset(int code) {
    state.reset();
    trunk().serveLater(); // the connection drops the stream
    trunk().reset(id, code);
  }

  // ---- room ----

  /** Returns true if there is room to write now; if not, {@link #takeRoom} returns true later. */
  boolean requestRoom() {
    boolean room = content.hasRoom() && connection().output().requestRoom();
    roomAwaited |= !room;
    return room;
  }

  /** Like {@link #requestRoom}, but tries to write before. */
  boolean makeRoom() throws IOException {
    boolean room = content.hasRoom() && connection().makeRoom();
    roomAwaited |= !room;
    return room;
  }

  /** Returns true if less than the low-water mark waits. */
  boolean isLow() {
    return state.isLive() && content.bytes() < loop.context.limits().outboundLowWater();
  }

  /** Ends the wait for room. Returns true if there was one. */
  boolean takeRoom() {
    boolean awaited = roomAwaited;
    roomAwaited = false;
    return awaited;
  }

  /** Returns true if the stream's own window or that of the connection holds content back. */
  boolean isStalled() {
    return content.isHeldBack() || (content.bytes() > 0 && trunk().output().isStalled());
  }
}
