package dev.peregrine.server.connection;

import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** A protocol that records its calls; a test may define its actions. */
class RecordingProtocol implements Protocol {
  /** The action at input. */
  @FunctionalInterface
  interface OnInput {
    void accept(Connection connection, InboundBuffer in) throws IOException;
  }

  /** The action at another call. */
  @FunctionalInterface
  interface On {
    void accept(Connection connection) throws IOException;
  }

  final List<String> calls = new ArrayList<>();
  final ByteArrayOutputStream consumed = new ByteArrayOutputStream();
  On open = connection -> {};
  OnInput input = (connection, in) -> consume(in, in.to() - in.from());
  OnInput inputEnd = (connection, in) -> connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
  On writable = connection -> {};
  On deadline = connection -> {};
  Predicate<Connection> tooSlow = connection -> false;
  Predicate<Connection> forgotten = connection -> false;
  Predicate<Connection> again = connection -> false; // more is late than was ended
  Runnable close = () -> {};
  On overload = connection -> {};
  Consumer<Connection> spared = connection -> {};
  long expected;
  ToLongFunction<Connection> held = connection -> 0;
  ToLongFunction<Connection> moved = connection -> 0;

  /** Takes bytes from the buffer. */
  void consume(InboundBuffer in, int count) {
    byte[] bytes = new byte[count];
    MemorySegment.copy(in.segment(), ValueLayout.JAVA_BYTE, in.from(), bytes, 0, count);
    in.consumeTo(in.from() + count);
    consumed.writeBytes(bytes);
  }

  @Override
  public void onOpen(Connection connection) {
    calls.add("open");
    try {
      open.accept(connection);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) throws IOException {
    calls.add("input " + (in.to() - in.from()));
    input.accept(connection, in);
  }

  @Override
  public long expectedBytes(Connection connection) {
    return expected;
  }

  @Override
  public long heldBytes(Connection connection) {
    return held.applyAsLong(connection);
  }

  @Override
  public long movedBytes(Connection connection) {
    return moved.applyAsLong(connection);
  }

  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) throws IOException {
    calls.add("input end");
    inputEnd.accept(connection, in);
  }

  @Override
  public void onWritable(Connection connection) throws IOException {
    calls.add("writable");
    writable.accept(connection);
  }

  @Override
  public void onReadingAgain(Connection connection) {
    calls.add("is read again");
  }

  @Override
  public void onDeadline(Connection connection, Deadline due) throws IOException {
    calls.add("deadline " + due);
    deadline.accept(connection);
  }

  @Override
  public boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    return tooSlow.test(connection);
  }

  @Override
  public boolean isOutputForgotten(Connection connection) {
    return forgotten.test(connection);
  }

  @Override
  public boolean onSendingTooSlowly(Connection connection) {
    calls.add("sends too slowly");
    return again.test(connection);
  }

  @Override
  public void onTakingTooSlowly(Connection connection) {
    calls.add("takes too slowly");
  }

  @Override
  public void onOverload(Connection connection, int connectionsMax) {
    calls.add("overload " + connectionsMax);
    try {
      overload.accept(connection);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void onSpared(Connection connection) {
    calls.add("spared");
    spared.accept(connection);
  }

  /** Closes a connection like a protocol without a response for overload. */
  void closeOverloaded(Connection connection) {
    Protocol.super.onOverload(connection, 0);
  }

  @Override
  public void onDrain(long idleNanos) {
    calls.add("drain " + idleNanos);
  }

  @Override
  public void onShutdown(Connection connection) {
    calls.add("shutdown");
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    calls.add("close " + reason);
    close.run();
  }
}
