package dev.peregrine.server.tls;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.connection.LayerFailedException;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.hello.ClientHello;
import dev.peregrine.server.tls.hello.EarlyAnswers;
import dev.peregrine.server.tls.hello.HelloException;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.tls.TlsInfo;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose bytes are protected by TLS. Until the handshake is complete the socket works by
 * itself, and its handler neither reads nor writes. If the handshake fails, the handler's next read
 * throws the exception.
 *
 * <pre>
 *   HELLO ──ClientHello──▶ HANDSHAKE ──complete──▶ OPEN ──shutdownOutput──▶ ENDED
 *     │                     │     ▲                 │                        ▲
 *     │                  task▼     │result           │                        │
 *     │                      TASK                   │                        │
 *     └──────────────────────┴──────────failure─────┴─▶ FAILED ──shutdownOutput
 *
 *   any of them ──close, reset──▶ CLOSED
 * </pre>
 *
 * In ENDED, received bytes are passed on as they are, to be discarded. An idle connection holds no
 * buffer: only an incomplete record, and records that the socket doesn't take, are kept.
 */
final class TlsSocket extends RecordSocket {
  private enum Phase {
    HELLO,
    HANDSHAKE,
    TASK,
    OPEN,
    ENDED,
    FAILED,
    CLOSED
  }

  /** Bytes of a read: those of a usual turn, and the begin of the record after them. */
  private static final int INPUT_BYTES = 128 * 1024;

  private static final int OVERHEAD_SHIFT = 6; // small records cost less than a 64th

  private Phase phase = Phase.HELLO;
  private @Nullable TlsHandshake handshake; // null once it is complete
  private boolean holdsContent; // the session may have more content, without bytes from the socket
  private boolean endDelivered; // the reader has read the client's close_notify
  private boolean endsOutput; // the end of the stream follows the waiting records
  private boolean taskRuns; // a task runs on another thread: the session must not be used
  private @Nullable IOException failure; // thrown by every read and write
  private @Nullable TlsInfo info; // created when it is first requested

  TlsSocket(StreamSocket inner, TlsLoop shared) {
    super(inner, shared);
    handshake = new TlsHandshake(shared);
  }

  @Override
  boolean isHandshaking() {
    return handshake != null;
  }

  // ---- readiness ----

  @Override
  protected int innerInterest(int ops) {
    int write = isBlocked() ? Ready.WRITE : 0;
    return switch (phase) {
      case HELLO, HANDSHAKE -> isBlocked() ? Ready.WRITE : Ready.READ;
      case TASK, CLOSED -> 0;
      case OPEN -> (isStuck() ? ops & ~Ready.READ : ops) | write;
      case ENDED, FAILED -> ops | write;
    };
  }

  /** Returns true if the session must send records before it can continue, but can't. */
  private boolean isStuck() {
    return isBlocked() && session().hasOutput();
  }

  @Override
  public void onReady(int ops) {
    int told = ops;
    try {
      if ((ops & Ready.WRITE) != 0) {
        onWritable();
      }
      if (isHandshaking()) {
        told = 0;
        advance();
        if (!isHandshaking()) {
          told = Ready.READ; // content may have arrived with the end of the handshake
        }
      }
    } catch (IOException | RuntimeException lost) {
      fail(lost);
      told = Ready.READ | Ready.WRITE;
    }
    if (isBlocked() && phase == Phase.OPEN) {
      told &= ~Ready.WRITE;
    }
    tell(told);
  }

  private void tell(int ops) {
    if (ops != 0) {
      super.onReady(ops);
    }
    if (phase != Phase.CLOSED) {
      updateInterest();
    }
  }

  private void onWritable() throws IOException {
    flushPending();
    if (isBlocked()) {
      return;
    }
    if (endsOutput) {
      endsOutput = false;
      inner.shutdownOutput();
    } else if (phase == Phase.OPEN && session().hasOutput()) {
      sendOutput();
      holdsContent = true; // bytes that it couldn't process before
    }
  }

  // ---- the handshake ----

  /** Reads once, and continues the handshake as far as possible. */
  private void advance() throws IOException {
    if (phase == Phase.TASK || isBlocked()) {
      return;
    }
    Block block = pool().acquire(INPUT_BYTES);
    try {
      ByteBuffer in = refill(block);
      boolean ended = inner.read(in) < 0;
      in.flip();
      boolean silent = phase == Phase.HELLO && !in.hasRemaining();
      step(in);
      keep(in);
      if (ended && isHandshaking() && silent) {
        endHandshake(Phase.ENDED); // a connection that was only opened
      } else if (ended && isHandshaking() && phase != Phase.TASK) {
        throw new EOFException("the client ended its stream");
      }
    } finally {
      pool().release(block);
    }
  }

  private void step(ByteBuffer in) throws IOException {
    if (phase == Phase.HELLO && !begin(in)) {
      return;
    }
    TlsSession session = session();
    for (boolean stuck = false; ; ) {
      sendOutput();
      if (isBlocked()) {
        return;
      }
      Runnable task = session.task();
      if (task != null) {
        run(task);
        return;
      }
      if (!session.isHandshaking()) {
        holdsContent = true; // possibly, after the handshake's records
        endHandshake(Phase.OPEN);
        return;
      }
      if (stuck) {
        return;
      }
      int before = in.position();
      holdsContent = session.unwrap(in, shared.nothing);
      stuck = in.position() == before && !session.hasOutput();
    }
  }

  /** Opens the session once the ClientHello has arrived. Returns true if it has. */
  private boolean begin(ByteBuffer in) throws IOException {
    TlsHandshake begun = Objects.requireNonNull(handshake);
    ClientHello hello = begun.reader.read(in);
    if (hello == null) {
      return false;
    }
    begun.hello = hello;
    TlsContext acquired = acquireContext();
    int profile = acquired.settings().profiles().choose(hello.serverName());
    if (profile == TlsProfiles.NONE) {
      throw new HelloException(
          HandshakeFailure.NAME_UNKNOWN,
          HelloException.UNRECOGNIZED_NAME,
          "no certificate is configured for the requested server name");
    }
    openSession(acquired, profile, hello.serverName());
    phase = Phase.HANDSHAKE;
    return true;
  }

  private void endHandshake(Phase next) {
    TlsHandshake ended = handshake;
    phase = next;
    if (ended != null) {
      handshake = null;
      long nanos = ended.end();
      if (next == Phase.OPEN) {
        onOpened(nanos);
      }
    }
  }

  // ---- tasks on another thread ----

  private void run(Runnable task) {
    Phase before = phase;
    phase = Phase.TASK;
    taskRuns = true;
    try {
      new SessionTask(loop, task, thrown -> onTaskEnd(before, thrown), this::onTaskLost).start();
    } catch (Throwable notStarted) {
      taskRuns = false;
      throw notStarted;
    }
  }

  /** Releases the task's resources, because the loop has ended meanwhile; on any thread. */
  private void onTaskLost() {
    taskRuns = false;
    freeSession();
  }

  private void onTaskEnd(Phase before, @Nullable Throwable thrown) {
    taskRuns = false;
    if (phase != Phase.TASK) { // failed, ended or closed meanwhile
      freeSession();
      return;
    }
    phase = before;
    int told = 0;
    try {
      if (thrown != null) {
        throw new TlsException(TlsException.Cause.INTERNAL, "a task failed: " + thrown);
      }
      if (before == Phase.OPEN) {
        holdsContent = true;
      } else {
        advance();
      }
      told = isHandshaking() ? 0 : Ready.READ;
    } catch (IOException | RuntimeException lost) {
      fail(lost);
      told = Ready.READ | Ready.WRITE;
    }
    tell(told);
  }

  // ---- failures ----

  /** Ends TLS: every read and write throws from now on. Sends an alert if there is one. */
  private void fail(Throwable cause) {
    if (failure != null) {
      return;
    }
    TlsHandshake failed = handshake;
    if (failed != null && failed.isOnlyOpened(cause)) {
      failure = (IOException) cause;
    } else if (failed != null) {
      failure = failed.failed(this, cause);
    } else if (cause instanceof TlsException) {
      failure = new LayerFailedException(CloseReason.TLS_FAILED, cause.toString());
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, cause);
    } else {
      failure = cause instanceof IOException lost ? lost : new IOException(cause);
    }
    try {
      sendAlert(cause);
    } catch (IOException | RuntimeException unsent) {
      dropPending();
    }
    endHandshake(Phase.FAILED);
  }

  private void sendAlert(Throwable cause) throws IOException {
    if (cause instanceof HelloException early) {
      send(EarlyAnswers.to(early));
    } else if (cause instanceof TlsException && hasSession() && !taskRuns) {
      sendOutput();
    }
  }

  @Override
  IOException broken(Throwable cause) {
    fail(cause);
    return Objects.requireNonNull(failure);
  }

  // ---- reading ----

  @Override
  protected boolean holdsInput() {
    return phase == Phase.OPEN
        && !isStuck()
        && (holdsContent || (session().isInputEnded() && !endDelivered));
  }

  @Override
  protected int receive(ByteBuffer target) throws IOException {
    if (isHandshaking()) {
      try {
        advance();
      } catch (IOException | RuntimeException lost) {
        throw broken(lost);
      }
      updateInterest();
    }
    return switch (phase) {
      case HELLO, HANDSHAKE, TASK -> 0;
      case OPEN -> decrypt(target);
      case ENDED -> inner.read(target);
      case FAILED -> throw Objects.requireNonNull(failure);
      case CLOSED -> throw new ClosedChannelException();
    };
  }

  private int decrypt(ByteBuffer target) throws IOException {
    if (isStuck()) {
      return 0;
    }
    int start = target.position();
    boolean ended = false;
    Block block = pool().acquire(INPUT_BYTES);
    try {
      ByteBuffer in = refill(block);
      if (!holdsContent && !session().isInputEnded()) {
        int wanted = target.remaining() + (target.remaining() >> OVERHEAD_SHIFT);
        int most = in.position() + Math.max(wanted, TlsSession.RECORD_BYTES_MAX);
        ended = inner.read(in.limit(Math.min(most, in.limit()))) < 0;
      }
      in.flip();
      unwrapAll(in, target);
      keep(in);
    } catch (TlsException | RuntimeException broken) {
      throw broken(broken);
    } finally {
      pool().release(block);
    }
    int count = target.position() - start;
    if (count > 0 || phase != Phase.OPEN) {
      return count;
    }
    if (session().isInputEnded()) {
      endDelivered = true;
      return -1;
    }
    if (ended) {
      throw new EOFException("the stream ended without close_notify");
    }
    return 0;
  }

  private void unwrapAll(ByteBuffer in, ByteBuffer target) throws IOException {
    TlsSession open = session();
    while (true) {
      holdsContent = open.unwrap(in, target);
      Runnable task = open.task();
      if (task != null) {
        run(task);
        return;
      }
      if (!open.hasOutput()) {
        return;
      }
      sendOutput();
      if (isBlocked()) {
        holdsContent = true; // possibly, in the remaining bytes
        return;
      }
    }
  }

  // ---- writing ----

  @Override
  boolean isWritable() throws IOException {
    return switch (phase) {
      case HELLO, HANDSHAKE, TASK -> false;
      case OPEN -> true;
      case FAILED -> throw Objects.requireNonNull(failure);
      case ENDED, CLOSED -> throw new ClosedChannelException();
    };
  }

  @Override
  public void shutdownOutput() throws IOException {
    if (phase == Phase.OPEN) {
      sendEnd();
    }
    endHandshake(Phase.ENDED);
    dropReceived();
    if (isBlocked()) {
      endsOutput = true;
      updateInterest();
    } else {
      inner.shutdownOutput();
    }
  }

  private void sendEnd() throws IOException {
    if (isBlocked()) {
      return; // the client is behind, and gets no more
    }
    try {
      session().endOutput();
      sendOutput();
    } catch (TlsException | RuntimeException failed) {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, failed);
    }
  }

  // ---- the end ----

  @Override
  public void reset() throws IOException {
    release();
    inner.reset();
  }

  @Override
  public void close() throws IOException {
    try {
      if (phase == Phase.OPEN) {
        sendEnd();
      }
    } catch (IOException unsent) {
      // The client or the network has closed the connection first.
    } finally {
      try {
        release();
      } finally {
        inner.close();
      }
    }
  }

  /** Releases all resources of this socket; once. */
  private void release() {
    if (phase == Phase.CLOSED) {
      return;
    }
    endHandshake(Phase.CLOSED);
    dropReceived();
    dropPending();
    if (!taskRuns) {
      freeSession();
    }
  }

  // ---- properties ----

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public @Nullable TlsInfo tls() {
    if (info == null && phase == Phase.OPEN) {
      info = session().info(serverName());
    }
    return info;
  }

  @Override
  public void keepAddresses() {
    inner.keepAddresses();
    TlsInfo ignored = tls();
  }
}
