package dev.peregrine.server.websocket;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import dev.peregrine.server.websocket.frame.FrameReceiver;
import dev.peregrine.server.websocket.frame.HeldFrames;
import org.jspecify.annotations.Nullable;

/**
 * The way of a session's bytes from its tunnel to its receiver, as fast as the application takes
 * messages and the client takes the responses. A copy of the frames that arrive in between is held.
 * Belongs to the loop.
 */
final class Intake {
  private final Connection connection;
  private final SocketState state;
  private final FrameReceiver receiver;
  private final @Nullable SessionCompression compression;
  private @Nullable HeldFrames held;
  private boolean paused;
  private boolean lacksRoom;
  private boolean receiving;

  Intake(
      Connection connection,
      SocketState state,
      FrameReceiver receiver,
      @Nullable SessionCompression compression) {
    this.connection = connection;
    this.state = state;
    this.receiver = receiver;
    this.compression = compression;
  }

  // ---- whether it takes bytes ----

  /** Returns true if another message, or part of one, can be delivered now. */
  boolean takesMessages() {
    return state.isOpen() && !paused && !lacksRoom;
  }

  /** Returns true if bytes that arrive are taken at once. */
  boolean isTaking() {
    return held == null && (!state.isOpen() || takesMessages());
  }

  /** Returns true if frames are held that could be taken in another turn. */
  boolean isBehind() {
    return held != null && takesMessages();
  }

  boolean isReceiving() {
    return receiving;
  }

  boolean holdsFrames() {
    return held != null;
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  /** Records whether there is room for the responses to further messages. */
  void onRoom(boolean room) {
    lacksRoom = !room;
  }

  // ---- the bytes ----

  /** Returns the bytes that are likely to arrive at once; see {@link FrameReceiver}. */
  long expectedBytes() {
    return held == null && state.isOpen() ? receiver.expectedBytes() : 0;
  }

  /** Returns true if the client must send on. */
  boolean isUnfinished() {
    return receiver.isUnfinished();
  }

  /** Returns true if these bytes are text that was received here. */
  boolean isValidText(Bytes bytes) {
    return receiver.isValidText(bytes);
  }

  /**
   * Takes bytes that have arrived, and holds those that must wait.
   *
   * @return false if memory for the rest of a compressed message is exhausted
   */
  boolean receive(Block block, int from, int to) {
    int taken = pass(block, from, to);
    if (!suspendInflater()) {
      return false;
    }
    if (!state.isEnded() && (taken < to || receiver.isSuspended())) {
      held = new HeldFrames(connection.loop().bufferPool(), block, taken, to);
    }
    return true;
  }

  /** Returns true if frames are held that can be taken now. */
  boolean takesHeld() {
    return held != null && !receiving && !lacksRoom && (!paused || !state.isOpen());
  }

  /**
   * Takes the frames that are held, as {@link #receive} does.
   *
   * @return false if memory for the rest of a compressed message is exhausted
   */
  boolean receiveHeld() {
    HeldFrames waiting = held;
    if (waiting == null) {
      return true;
    }
    waiting.took(pass(waiting.block(), waiting.from(), waiting.to()));
    if (!suspendInflater()) {
      return false;
    }
    if (held != null && waiting.isEmpty() && !receiver.isSuspended()) {
      held = null;
      waiting.release();
    }
    return true;
  }

  /** Passes frames on within a time slice. Returns the index after those that were taken. */
  private int pass(Block block, int from, int to) {
    TimeSlice slice = connection.loop().slice();
    int at = from;
    receiving = true;
    try {
      slice.begin();
      while ((at < to || receiver.isSuspended()) && takesFrame(slice)) {
        at = receiver.receive(block, at, to);
      }
    } finally { // also without memory
      receiving = false;
      if (state.isEnded()) {
        release();
      }
    }
    return at;
  }

  private boolean takesFrame(TimeSlice slice) {
    return state.isOpen() ? takesMessages() && slice.step() : state.isClosing();
  }

  /** Lets other sessions use the inflater's memory until more bytes arrive. */
  private boolean suspendInflater() {
    return state.isEnded() || compression == null || compression.inflater().suspend();
  }

  /** Gives all memory back, or lets the call that receives do so. */
  void release() {
    if (receiving) {
      return;
    }
    receiver.release();
    if (compression != null) {
      compression.close();
    }
    HeldFrames waiting = held;
    if (waiting != null) {
      held = null;
      waiting.release();
    }
  }
}
