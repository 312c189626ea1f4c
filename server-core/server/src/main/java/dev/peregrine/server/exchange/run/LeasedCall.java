package dev.peregrine.server.exchange.run;

import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.lease.BufferMemory;
import dev.peregrine.server.memory.lease.Leases;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call of the application that passes a buffer on, and gets it back whatever happens. */
public interface LeasedCall {
  /**
   * Passes the buffer on.
   *
   * @param bytes its remaining bytes
   * @param entered {@link LoopOwner#OUTSIDE} if that must wait for a turn
   * @param whenSent must be called back from then on, if this returns normally outside of a turn;
   *     null in a turn, where the buffer is on offer
   */
  void pass(
      ByteBuffer buffer, int bytes, int entered, @Nullable Consumer<? super ByteBuffer> whenSent);

  /** Makes a call, in a turn or outside of one. */
  static void make(
      LeasedCall call,
      ExchangeTurns turns,
      Leases leases,
      ByteBuffer buffer,
      Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(buffer, "content");
    Objects.requireNonNull(whenSent, "whenSent");
    int entered = turns.enter();
    try {
      make(call, entered, leases, buffer, whenSent);
    } finally {
      turns.exit(entered);
    }
  }

  /**
   * Makes a call of a caller that has entered the server's code.
   *
   * @param entered {@link LoopOwner#OUTSIDE} if it isn't in a turn
   */
  static void make(
      LeasedCall call,
      int entered,
      Leases leases,
      ByteBuffer buffer,
      Consumer<? super ByteBuffer> whenSent) {
    if (entered == LoopOwner.OUTSIDE) {
      makeOutside(call, leases, buffer, whenSent);
      return;
    }
    leases.offer(buffer, whenSent);
    try {
      call.pass(buffer, leases.check(buffer), entered, null);
    } finally {
      leases.settle();
    }
  }

  private static void makeOutside(
      LeasedCall call, Leases leases, ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    try {
      BufferMemory.checkUsable(buffer);
      call.pass(buffer, buffer.remaining(), LoopOwner.OUTSIDE, whenSent);
    } catch (Throwable rejected) {
      leases.end(buffer, whenSent);
      throw rejected;
    }
  }
}
