package dev.peregrine.server.websocket;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one WebSocket, which its session on the loop and the application's side share. The
 * loop changes it; other threads may only end the sending, and read what is said to be for them.
 *
 * <pre>
 *   OPEN ──close frame sent──▶ CLOSING ──client's close frame, or time──▶ ENDED
 *     └──client's close frame, fault, or the end of the connection──────────▲
 * </pre>
 */
final class SocketState {
  private static final byte OPEN = 0;
  private static final byte CLOSING = 1;
  private static final byte ENDED = 2;

  private static final VarHandle ON_CLOSE =
      FieldHandle.of(MethodHandles.lookup(), "onClose", CloseCallbacks.class);

  private byte state = OPEN;
  private volatile boolean sends = true;
  private volatile boolean full;
  private volatile @Nullable CloseCallbacks onClose; // created for the first callback

  // ---- for the loop ----

  boolean isOpen() {
    return state == OPEN;
  }

  boolean isClosing() {
    return state == CLOSING;
  }

  boolean isEnded() {
    return state == ENDED;
  }

  /** Returns true if the application gets messages: not any more once it has asked to close. */
  boolean takesMessages() {
    return state == OPEN && sends;
  }

  /** The closing handshake begins. */
  void close() {
    state = CLOSING;
    sends = false;
  }

  /** Nothing is sent or received any more. */
  void end() {
    state = ENDED;
    sends = false;
  }

  /** Records whether there is room for more messages. */
  void onRoom(boolean room) {
    if (full == room) { // a volatile store costs more
      full = !room;
    }
  }

  /** Calls the callbacks for the close, also those that are added later. */
  void runOnClose() {
    if (!ON_CLOSE.compareAndSet(this, null, CloseCallbacks.CLOSED)) {
      Objects.requireNonNull(onClose).run();
    }
  }

  // ---- for any thread ----

  /** Returns true if messages can be sent. */
  boolean sends() {
    return sends;
  }

  /** Lets no further message be sent, because the application closes the socket, or must. */
  void endSending() {
    sends = false;
  }

  /** Returns true if the loop had no room for more messages when it last looked. */
  boolean isFull() {
    return full;
  }

  /** Returns the callbacks for the close. */
  CloseCallbacks onClose() {
    CloseCallbacks present = onClose;
    if (present != null) {
      return present;
    }
    CloseCallbacks created = new CloseCallbacks();
    return ON_CLOSE.compareAndSet(this, null, created) ? created : Objects.requireNonNull(onClose);
  }
}
