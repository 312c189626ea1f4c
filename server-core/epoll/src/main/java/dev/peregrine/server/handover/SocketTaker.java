package dev.peregrine.server.handover;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.linux.LocalMessage;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.PeerProcess;
import dev.peregrine.linux.PollSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets of another process, on the side of the process that takes them over. Used
 * by one thread.
 */
final class SocketTaker implements AutoCloseable {
  private static final int SOCKETS_MAX = 4096;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LocalSocket peer;
  private final PeerProcess process;
  private final long waitNanos;
  private final PollSet poll = new PollSet();
  private final List<OfferedSocket> sockets = new ArrayList<>();
  private int listener = -1;
  private boolean stalled;

  private SocketTaker(LocalSocket peer, long waitNanos) throws IOException {
    this.peer = peer;
    this.process = peer.peer();
    this.waitNanos = waitNanos;
  }

  /**
   * Takes the sockets of the process that listens on a hand-over socket.
   *
   * @param path the file of that socket
   * @param waitNanos the time for its sockets, and again for its end
   * @return null if no process listens there
   * @throws IOException if that process doesn't give its sockets
   */
  public static @Nullable SocketTaker connect(String path, long waitNanos) throws IOException {
    long endNanos = System.nanoTime() + waitNanos;
    while (true) {
      LocalSocket peer = connectOnce(path, endNanos);
      if (peer == null) {
        return null;
      }
      SocketTaker taker = open(peer, waitNanos);
      if (taker != null) {
        return taker;
      }
      if (System.nanoTime() - endNanos >= 0) {
        throw new IOException("the process at " + path + " ends each hand-over at once");
      }
      LockSupport.parkNanos(RETRY_NANOS); // that process is ending
    }
  }

  private static @Nullable LocalSocket connectOnce(String path, long endNanos) throws IOException {
    while (true) {
      try {
        return LocalSocket.connect(path);
      } catch (IOException failure) {
        String text = String.valueOf(failure.getMessage());
        if (!text.contains("errno " + Errno.EAGAIN + ")") || System.nanoTime() - endNanos >= 0) {
          throw new IOException("can't connect to " + path + ": " + text, failure);
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Returns null if the other process has ended before it had sent everything. */
  private static @Nullable SocketTaker open(LocalSocket peer, long waitNanos) throws IOException {
    SocketTaker taker;
    try {
      taker = new SocketTaker(peer, waitNanos);
    } catch (Throwable failure) {
      peer.close();
      throw failure;
    }
    boolean complete = false;
    try {
      complete = taker.receiveAll();
      return complete ? taker : null;
    } finally {
      if (!complete) {
        taker.close();
      }
    }
  }

  private boolean receiveAll() throws IOException {
    if (!process.isTrusted()) {
      throw new IOException(
          "process "
              + process.pid()
              + " runs as the user "
              + process.uid()
              + ", so its sockets"
              + " are not taken over");
    }
    try {
      peer.tell(HandOverWords.TAKE);
    } catch (IOException closing) {
      // it may have refused already: its message says why
    }
    long endNanos = System.nanoTime() + waitNanos;
    while (true) {
      LocalMessage message = await(endNanos);
      if (message.isEnd()) {
        return false;
      }
      String text = message.text();
      if (text.startsWith(HandOverWords.END)) {
        message.discard();
        check(text.equals(HandOverWords.END + sockets.size()) && listener >= 0, text);
        return true;
      }
      add(message);
    }
  }

  private void add(LocalMessage message) throws IOException {
    String text = message.text();
    boolean kept = false;
    try {
      check(message.descriptors().size() == 1 && sockets.size() < SOCKETS_MAX, text);
      int descriptor = message.descriptors().getFirst();
      if (text.equals(HandOverWords.PATH)) {
        check(listener < 0, text);
        listener = descriptor;
      } else {
        check(text.startsWith(HandOverWords.SOCKET), text);
        OfferedSocket socket =
            OfferedSocket.parse(text.substring(HandOverWords.SOCKET.length()), descriptor);
        ListeningSocket.prepare(descriptor);
        sockets.add(socket);
      }
      kept = true;
    } catch (IllegalArgumentException malformed) {
      throw new IOException("an unexpected message: " + printable(text), malformed);
    } finally {
      if (!kept) {
        message.discard();
      }
    }
  }

  /** Waits for the next message of the other process, which must not be a refusal. */
  private LocalMessage await(long endNanos) throws IOException {
    while (true) {
      LocalMessage message = peer.receive();
      if (message != null) {
        if (message.text().startsWith(HandOverWords.REFUSED)) {
          message.discard();
          throw new IOException(
              "process "
                  + process.pid()
                  + " keeps its sockets: "
                  + printable(message.text().substring(HandOverWords.REFUSED.length())));
        }
        return message;
      }
      long left = endNanos - System.nanoTime();
      if (left <= 0) {
        throw new HandOverTimeoutException(
            "process "
                + process.pid()
                + " has not answered for "
                + TimeUnit.NANOSECONDS.toMillis(waitNanos)
                + " ms");
      }
      poll.clear();
      int ignored = poll.add(peer.descriptor(), false);
      poll.await(left);
    }
  }

  private static void check(boolean expected, String text) throws IOException {
    if (!expected) {
      throw new IOException("an unexpected message: " + printable(text));
    }
  }

  private static String printable(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "?");
  }

  /** Returns the process that the sockets are of. */
  public int pid() {
    return process.pid();
  }

  /** Returns the sockets in the order in which they came. */
  public List<OfferedSocket> sockets() {
    return List.copyOf(sockets);
  }

  /** Passes a socket on to the caller, who closes it. */
  public void release(OfferedSocket socket) {
    sockets.remove(socket);
  }

  /** Passes the hand-over socket on to the caller, who closes it. */
  public LocalSocket releaseListener() {
    LocalSocket released = new LocalSocket(listener);
    listener = -1;
    return released;
  }

  /**
   * Tells the other process that this one accepts connections, and waits until it accepts none any
   * more. If it has ended or doesn't answer, this process has the sockets all the same.
   *
   * @return false if it has not confirmed that; see {@link #isStalled}
   * @throws IOException if it has refused, and so continues to use the sockets
   */
  public boolean ready() throws IOException {
    try {
      peer.tell(HandOverWords.READY);
    } catch (IOException closing) {
      // it may have refused or ended: see what it has sent last
    }
    try {
      LocalMessage message = await(System.nanoTime() + waitNanos);
      message.discard();
      return !message.isEnd();
    } catch (HandOverTimeoutException silent) {
      stalled = true;
      return false;
    }
  }

  /**
   * Returns true if the other process has not answered {@link #ready}, but may do so when it runs
   * again. It takes a connection that has ended for a process that has ended, and then continues to
   * accept connections, so this taker must stay open as long as this process has the sockets.
   */
  public boolean isStalled() {
    return stalled;
  }

  /**
   * Closes this taker because a third process has the sockets now, so the other one must not
   * continue if it still reads that this one was ready.
   */
  public void closeAsPassedOn() {
    try {
      peer.tell(HandOverWords.READY); // it ends if anything follows the first one
    } catch (IOException gone) {
      // it has ended
    }
    close();
  }

  @Override
  public void close() {
    peer.close();
    sockets.forEach(socket -> ListeningSocket.close(socket.descriptor()));
    sockets.clear();
    if (listener >= 0) {
      ListeningSocket.close(listener);
      listener = -1;
    }
  }
}
