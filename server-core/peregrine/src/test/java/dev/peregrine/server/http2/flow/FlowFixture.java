package dev.peregrine.server.http2.flow;

import dev.peregrine.server.exchange.text.CurrentDate;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.DataFrames;
import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.http2.head.HeadEncoder;
import dev.peregrine.server.http2.head.HeadTable;
import dev.peregrine.server.http2.head.HeadTarget;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundChannel;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Streams with windows, and the frames that they send, without a connection. */
final class FlowFixture implements HeadTarget, AutoCloseable {
  static final long NOW = 1_000;
  static final int HIGH_WATER = 64 * 1024;
  static final long RATE = 1024; // bytes per second

  /** A stream that does nothing. */
  record TestStream(
      int id, StreamState state, ReceiveWindow receiveWindow, OutboundContent outbound)
      implements Windowed {

    @Override
    public boolean isUnhurried() {
      return false;
    }

    TestStream add(String text) {
      byte[] bytes = Requests.bytes(text);
      return add(bytes);
    }

    TestStream add(byte[] bytes) {
      outbound.queue().add(bytes, 0, bytes.length);
      return this;
    }

    TestStream priority(String field) {
      byte[] bytes = Requests.bytes(field);
      outbound.urgency().set(MemorySegment.ofArray(bytes), 0, bytes.length);
      return this;
    }
  }

  private final ScriptedLoop loop = new ScriptedLoop(() -> NOW);
  private final BufferPool pool = new BufferPool();
  private final OutboundQueue out = new OutboundQueue(pool);
  private final HeadTable table = new HeadTable();
  final DataRate rate = new DataRate(RATE, TimeUnit.SECONDS.toNanos(1), 10 * (int) RATE);
  final Control control = new Control();
  final SendTools tools =
      new SendTools(
          new DataFrames(),
          new HeadEncoder(new CurrentDate(loop.loop()), ""),
          pool,
          rate,
          HIGH_WATER);
  final StreamTable<TestStream> streams = new StreamTable<>();

  FlowFixture() {
    loop.start();
  }

  @Override
  public OutboundQueue out() {
    return out;
  }

  @Override
  public HeadTable table() {
    return table;
  }

  /** Opens a stream whose request has ended, or not. */
  TestStream open(int id, int sendWindow, int receiveWindow, boolean ended) {
    StreamState state = new StreamState();
    TestStream stream =
        new TestStream(id, state, new ReceiveWindow(), new OutboundContent(state, tools));
    state.open(ended);
    stream.receiveWindow.begin(receiveWindow);
    stream.outbound.begin(id, sendWindow, NOW);
    streams.add(stream);
    return stream;
  }

  TestStream open(int id, int sendWindow) {
    return open(id, sendWindow, 0, true);
  }

  /** Returns the frames that were sent since the last call: a type, a stream, and the payload. */
  List<String> sent() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      while (!out.writeTo(new Sink(bytes))) {
        // writes on
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    List<String> frames = new ArrayList<>();
    ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
    while (all.hasRemaining()) {
      int word = all.getInt();
      int flags = all.get();
      int id = all.getInt();
      byte[] payload = new byte[word >>> 8];
      all.get(payload);
      frames.add(describe(word & 0xFF, flags, id, payload));
    }
    return frames;
  }

  private static String describe(int type, int flags, int id, byte[] payload) {
    String end = (flags & Frame.END_STREAM) != 0 ? " ends" : "";
    return switch (type) {
      case Frame.DATA ->
          "%d %s%s"
              .formatted(
                  id,
                  payload.length > 20
                      ? payload.length
                      : new String(payload, StandardCharsets.ISO_8859_1),
                  end);
      case Frame.WINDOW_UPDATE -> "window %d %d".formatted(id, ByteBuffer.wrap(payload).getInt());
      case Frame.PING -> "ping " + ByteBuffer.wrap(payload).getLong();
      case Frame.HEADERS -> id + " trailers" + end;
      default -> throw new AssertionError("a frame of type " + type);
    };
  }

  /** Takes all bytes. */
  private record Sink(ByteArrayOutputStream taken) implements OutboundChannel {
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      long count = 0;
      for (int i = offset; i < offset + length; i++) {
        count += write(sources[i]);
      }
      return count;
    }

    @Override
    public int write(ByteBuffer source) {
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      taken.writeBytes(bytes);
      return bytes.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {
    for (int i = 0; i < streams.count(); i++) {
      streams.get(i).outbound.clear();
    }
    out.clear();
    out.releaseSpare();
    int left = pool.blocksInUse();
    pool.close();
    loop.close();
    if (left != 0) {
      throw new AssertionError(left + " blocks are left");
    }
  }
}
