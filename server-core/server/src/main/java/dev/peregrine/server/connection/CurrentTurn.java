package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.connection.facts.ConnectionRecord;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.TurnUser;
import dev.peregrine.server.memory.ContentFailedException;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.turn.Turn;
import dev.peregrine.server.turn.TurnQueue;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The turn that one of a loop's connections has now. Its steps are always the same: begin with the
 * carried bytes, read, let the protocol respond, write once, carry over the rest. {@link #onThrown}
 * ends a turn that has thrown. On the loop's thread.
 */
final class CurrentTurn implements TurnUser {
  final ConnectionContext context;
  private final InboundBuffer in;
  private @Nullable Connection current;
  private boolean endsAhead; // the client has ended its stream, which the protocol must learn yet

  CurrentTurn(ConnectionContext context) {
    this.context = context;
    this.in = context.inbound;
  }

  /** Returns the connection whose turn it is; null between turns. */
  @Nullable Connection current() {
    return current;
  }

  private Connection served() {
    return Objects.requireNonNull(current);
  }

  void begin(Connection served) {
    EventLoop.clearInterrupt();
    current = served;
    in.begin(served.input().takeCarried());
  }

  /**
   * Does what the socket is ready for.
   *
   * @param ops bits of {@link Ready}
   */
  void serve(int ops) throws IOException {
    Connection served = served();
    if ((ops & Ready.WRITE) != 0) {
      endsAhead = (ops & Ready.INPUT_END) != 0;
      write();
      endsAhead = false;
    }
    if ((ops & Ready.INPUT_END) != 0) {
      onInputEndAhead();
    }
    if ((ops & Ready.READ) == 0 || !mayRead() || in.isLent()) {
      return;
    }
    int n = in.read(served.socket, inputMax(served), expectedBytes(served));
    ConnectionRecord record = served.knownRecord();
    if (record != null) {
      record.countReceived(n);
    }
    if (served.closing.isLingering()) {
      discard(n);
    } else if (n > 0) {
      served.input().pause(false);
      if (!served.output().isBlocked()) {
        served.protocol().onInput(served, in);
      }
    } else if (n < 0) {
      served.input().end();
      served.input().pause(false);
      served.protocol().onInputEnd(served, in);
    }
  }

  int unconsumedBytes() {
    return in.to() - in.from();
  }

  private boolean mayRead() {
    return mayRead(served(), unconsumedBytes());
  }

  private void onInputEndAhead() {
    Connection served = served();
    if (served.isOpen() && !served.input().isEnded()) {
      served.protocol().onInputEndAhead(served);
    }
  }

  /** Writes what waits for the socket, and lets the protocol add to it. */
  private void write() throws IOException {
    Connection served = served();
    ConnectionOutput output = served.output();
    served.flush(true);
    if (output.isDue()) {
      boolean notRead = output.isBlocked();
      output.flow();
      if (served.isOpen()) {
        if (notRead) {
          served.protocol().onReadingAgain(served);
        }
        served.protocol().onWritable(served);
      }
      goOn();
    }
  }

  /** Lets the protocol continue with received bytes, unless too much is still unsent. */
  void goOn() throws IOException {
    Connection served = served();
    served.input().pause(false); // above the high-water mark, onWritable continues
    if (served.isOpen() && served.makeRoom()) {
      served.protocol().onInput(served, in);
    }
  }

  void end() throws IOException {
    Connection served = served();
    Closing closing = served.closing;
    if (!closing.isClosed()) {
      served.flush(!served.output().isUnsent());
    }
    if (closing.isClosing()) {
      in.consumeAll();
      if (!served.output().isUnsent()) {
        halfClose();
      }
    }
    if (served.input().isLost() && !mayRead()) {
      served.close(CloseReason.CLIENT_RESET); // no later read would detect the reset
    }
    served.input().carry(in.end());
    current = null;
    if (!closing.isClosed()) {
      updateInterest(served);
    }
  }

  /** Begins to linger, because all bytes have been sent. */
  private void halfClose() throws IOException {
    Connection served = served();
    Closing closing = served.closing;
    closing.endOutput();
    boolean resets = closing.resets();
    if (served.input().isEnded() && !resets) {
      served.close(closing.reason());
      return;
    }
    if (!resets) {
      served.socket.shutdownOutput();
    }
    closing.linger();
    served.input().discard(context.limits.lingerBytesMax());
    served.output().flow();
    served.linger(resets && served.socket.unacknowledgedBytes() != StreamSocket.UNKNOWN);
  }

  /** Discards received bytes; a negative count is the end of the stream. */
  private void discard(int count) {
    Connection served = served();
    in.consumeAll();
    served.input().countDiscarded(count);
    boolean ended = served.input().isEnded() && !served.closing.resets();
    if (ended || served.input().bytesMax() == 0) {
      served.close(served.closing.reason());
    }
  }

  // ---- what the connection waits for ----

  private boolean mayRead(Connection served, int unconsumed) {
    ConnectionInput input = served.input();
    return !input.isEnded()
        && (served.closing.isLingering()
            || (served.isOpen() && !input.isYielded() && unconsumed < inputMax(served)));
  }

  /**
   * Returns the number of bytes that may be unconsumed. While too much is unsent, bytes are
   * received only to detect the end of the stream.
   */
  private int inputMax(Connection served) {
    ConnectionInput input = served.input();
    if (!served.output().isBlocked()) {
      return input.bytesMax();
    }
    return input.isEndWatched()
        ? Math.min(input.bytesMax(), context.limits.pipelinedBytesMax())
        : 0;
  }

  /** Returns the least number of bytes that a read should bring; 0 if a usual read will do. */
  private static long expectedBytes(Connection served) {
    // at most a usual read while bytes are unsent, because the response could add to them
    boolean expects = served.attachment() != null && !served.output().isUnsent() && served.isOpen();
    return expects ? served.protocol().expectedBytes(served) : 0;
  }

  /** Tells the socket of a connection what it waits for between turns. */
  void updateInterest(Connection served) {
    ConnectionInput input = served.input();
    served
        .output()
        .tell(
            (mayRead(served, input.carriedBytes()) ? Ready.READ : 0)
                | (input.isEndWatched() && !input.isEnded() ? Ready.INPUT_END : 0));
  }

  // ---- a turn that fails, or is left ----

  /** Ends a turn that has thrown. */
  void onThrown(Connection served, Throwable failure) {
    if (failure instanceof IOException lost) {
      onLost(served, lost);
    } else {
      served.onFailure(failure);
    }
  }

  /** Ends a connection because it can't be written to. */
  void lose(Connection served, IOException failure) {
    if (failure instanceof ContentFailedException) {
      context.loop.report(Incident.RESPONSE_BROKEN_OFF, failure);
      dropPending(served);
      served.breakOff(CloseReason.APPLICATION_FAILED);
    } else if (failure instanceof LayerFailedException broken) {
      loseLayer(served, broken);
    } else {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, failure);
      served.close(CloseReason.CLIENT_RESET);
    }
  }

  /**
   * Ends a connection whose layer has failed. The layer may still send an alert, so that the end of
   * the stream follows in order.
   */
  private void loseLayer(Connection served, LayerFailedException failure) {
    FailedHandshake handshake = failure.handshake();
    if (handshake != null) {
      ConnectionRecord record = served.knownRecord();
      if (record != null) {
        record.failHandshake(handshake);
      }
      served.protocol().onHandshakeFailed(served, failure);
    }
    dropPending(served);
    if (served.closing.isBrokenOff() || served.closing.isLingering()) {
      served.close(failure.reason());
    } else {
      served.breakOff(failure.reason());
    }
  }

  private void dropPending(Connection served) {
    if (served.output().isUnsent() || current == served) {
      served.output().drop();
    }
  }

  private void onLost(Connection served, IOException failure) {
    try {
      lose(served, failure);
      end();
    } catch (IOException again) {
      served.close(CloseReason.CLIENT_RESET);
      endOf(served);
    } catch (Throwable again) {
      served.onFailure(again);
    }
  }

  /** Ends the turn of a connection that has closed, if it has one. */
  void endOf(Connection closed) {
    if (current == closed) {
      current = null;
      in.consumeAll();
      closed.input().carry(in.end());
    }
  }

  /** Drops what a connection that has closed has received and would send, if it has its turn. */
  void dropOf(Connection closed) {
    if (current == closed) {
      in.consumeAll();
      context.outbound.shared().clear();
    }
  }

  @Override
  public void leaveHandler() {
    Connection served = current;
    if (served != null) {
      served.output().endLoan();
      served.protocol().leaveHandler(served, in);
    }
  }

  @Override
  public void endLeftTurn() {
    boolean ahead = endsAhead;
    endsAhead = false;
    Connection served = current;
    if (served == null) {
      return;
    }
    try {
      if (ahead) {
        onInputEndAhead();
      }
      if (served.isOpen()) {
        served.protocol().onInput(served, in);
      }
      end();
    } catch (Throwable failure) {
      onThrown(served, failure);
    }
    endNotification(served);
  }

  private static void endNotification(Connection served) {
    try {
      served.socket.endNotification();
    } catch (Throwable failure) {
      served.onFailure(failure);
    }
    TurnQueue waiting = served.knownTurns();
    if (waiting != null) {
      waiting.endLeftRun();
    }
  }

  /**
   * Describes the exchange that the loop is serving, for a caller on another thread; null if it
   * serves no connection, or has switched to another one meanwhile.
   */
  @Override
  public @Nullable String describe() {
    Connection served = current;
    if (served == null) {
      return null;
    }
    String request = served.protocol().describe(served);
    String client;
    try {
      client = String.valueOf(served.facts().remoteAddress());
    } catch (IOException unknown) {
      return request;
    }
    return served != current ? null : request == null ? client : request + " of " + client;
  }

  /** Runs work in a turn of its own. */
  void run(Connection served, Turn work) {
    try {
      begin(served);
      work.run();
      end();
    } catch (Throwable failure) {
      onThrown(served, failure);
    }
  }
}
