package dev.peregrine.server.handover;

import dev.peregrine.linux.LocalMessage;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.PeerProcess;
import java.io.IOException;
import java.util.List;

/**
 * One hand-over, on the side of the process that has the sockets. On the thread of its {@link
 * SocketGiver}.
 */
final class GiverSession implements AutoCloseable {
  private enum State {
    ASKED, // waits for the request
    OFFERING,
    OFFERED, // waits until the other process is ready
    READY
  }

  private final LocalSocket peer;
  private final PeerProcess process;
  private final int listener;
  private final List<OfferedSocket> sockets;
  private State state = State.ASKED;
  private int sent;
  private long endNanos;

  /**
   * Begins with a process that has connected.
   *
   * @param listener the descriptor of the hand-over socket
   * @param requestNanos the time for its request
   */
  GiverSession(
      LocalSocket peer,
      PeerProcess process,
      int listener,
      List<OfferedSocket> sockets,
      long requestNanos) {
    this.peer = peer;
    this.process = process;
    this.listener = listener;
    this.sockets = sockets;
    this.endNanos = System.nanoTime() + requestNanos;
  }

  int descriptor() {
    return peer.descriptor();
  }

  PeerProcess process() {
    return process;
  }

  /** Returns true if messages are left to send, rather than one to receive. */
  boolean isSending() {
    return state == State.OFFERING;
  }

  /** Returns true if the other process has all sockets, and may be using them. */
  boolean isOffered() {
    return state == State.OFFERED || state == State.READY;
  }

  /** Returns true once the other process accepts connections. */
  boolean isReady() {
    return state == State.READY;
  }

  long remainingNanos() {
    return endNanos - System.nanoTime();
  }

  /**
   * Sends or receives what is possible.
   *
   * @param readyNanos the time for the other process until it is ready
   * @return false if the other process has gone
   * @throws IOException if it doesn't keep to the protocol
   */
  boolean advance(long readyNanos) throws IOException {
    if (state == State.OFFERING) {
      offer();
      return true;
    }
    LocalMessage message = peer.receive();
    if (message == null) {
      return true;
    }
    message.discard();
    if (message.isEnd()) {
      return false;
    }
    String expected = state == State.ASKED ? HandOverWords.TAKE : HandOverWords.READY;
    if (!message.text().equals(expected)) {
      throw new IOException("\"" + expected + "\" was expected");
    }
    if (state == State.ASKED) {
      state = State.OFFERING;
      endNanos = System.nanoTime() + readyNanos;
      offer();
    } else {
      state = State.READY;
    }
    return true;
  }

  /** Returns true if the other process has ended after its last message. */
  boolean isGone() throws IOException {
    LocalMessage message = peer.receive();
    if (message == null) {
      return false;
    }
    message.discard();
    return message.isEnd();
  }

  private void offer() throws IOException {
    while (sent < sockets.size()) {
      OfferedSocket socket = sockets.get(sent);
      if (!peer.send(HandOverWords.SOCKET + socket.describe(), socket.descriptor())) {
        return;
      }
      sent++;
    }
    if (sent == sockets.size()) {
      if (!peer.send(HandOverWords.PATH, listener)) {
        return;
      }
      sent++;
    }
    if (peer.send(HandOverWords.END + sockets.size())) {
      state = State.OFFERED;
    }
  }

  /** Tells the other process that the sockets are its own from now on. */
  void finish() {
    send(HandOverWords.DONE);
  }

  /** Ends the hand-over; the other process must not use the sockets. */
  void refuse(String reason) {
    send(HandOverWords.REFUSED + reason);
  }

  private void send(String text) {
    try {
      peer.tell(text);
    } catch (IOException gone) {
      return; // nothing is left to do for it
    }
  }

  @Override
  public void close() {
    peer.close();
  }
}
