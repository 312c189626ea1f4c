package dev.peregrine.server.tls.layer;

import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.hello.ClientHello;
import dev.peregrine.server.tls.hello.EarlyAnswers;
import dev.peregrine.server.tls.hello.HelloException;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.tls.TlsInfo;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
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
final class TlsSocket extends LayeredSocket {
  private enum Phase {
    HELLO,
    HANDSHAKE,
    TASK,
    OPEN,
    ENDED,
    FAILED,
    CLOSED
  }

  private final TlsLoop shared;
  private final RecordInput input;
  private final RecordOutput output;
  private Phase phase = Phase.HELLO;
  private @Nullable TlsHandshake handshake; // null once it is complete
  private @Nullable OpenedSession opened; // from the ClientHello on
  private boolean endsOutput; // the end of the stream follows the waiting records
  private boolean taskRuns; // a task runs on another thread: the session must not be used
  private @Nullable IOException failure; // thrown by every read and write
  private @Nullable TlsInfo info; // created when it is first requested

  TlsSocket(StreamSocket inner, TlsLoop shared) {
    super(inner, shared.loop);
    this.shared = shared;
    input = new RecordInput(inner, shared.loop.bufferPool());
    output = new RecordOutput(inner, shared);
    handshake = new TlsHandshake(shared);
  }

  private TlsSession session() {
    return Objects.requireNonNull(opened).session;
  }

  /** Returns true until the handshake has ended in any way. */
  private boolean isHandshaking() {
    return handshake != null;
  }

  @Override
  public boolean isOpening() {
    return isHandshaking() && (opened != null || !input.isEmpty() || inner.isOpening());
  }

  @Override
  public boolean isOverdue(long nanos) {
    return (isHandshaking() && nanos >= shared.handshakeNanos) || inner.isOverdue(nanos);
  }

  @Override
  public void expire(long nanos) throws IOException {
    try {
      inner.expire(nanos);
      if (isHandshaking() && nanos >= shared.handshakeNanos) {
        throw HelloException.late(shared.handshakeNanos);
      }
    } catch (IOException late) {
      throw broken(late);
    }
  }

  // ---- readiness ----

  @Override
  public void onMoved(StreamSocket next) {
    input.moveTo(next);
    output.moveTo(next);
    super.onMoved(next);
  }

  @Override
  protected int innerInterest(int ops) {
    int write = output.isBlocked() ? Ready.WRITE : 0;
    return switch (phase) {
      case HELLO, HANDSHAKE -> output.isBlocked() ? Ready.WRITE : Ready.READ;
      case TASK, CLOSED -> 0;
      case OPEN -> (isStuck() ? ops & ~Ready.READ : ops) | write;
      case ENDED, FAILED -> ops | write;
    };
  }

  /** Returns true if the session must send records before it can continue, but can't. */
  private boolean isStuck() {
    return output.isBlocked() && session().hasOutput();
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
    if (output.isBlocked() && phase == Phase.OPEN) {
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
    output.flush();
    if (output.isBlocked()) {
      return;
    }
    if (endsOutput) {
      endsOutput = false;
      inner.shutdownOutput();
    } else if (phase == Phase.OPEN && session().hasOutput()) {
      output.sendOf(session());
      input.expectContent(); // bytes that it couldn't process before
    }
  }

  // ---- the handshake ----

  /** Reads once, and continues the handshake as far as possible. */
  private void advance() throws IOException {
    if (phase == Phase.TASK || output.isBlocked()) {
      return;
    }
    Block block = loop.bufferPool().acquire(RecordInput.BYTES);
    try {
      ByteBuffer in = input.refill(block);
      boolean ended = inner.read(in) < 0;
      in.flip();
      boolean silent = phase == Phase.HELLO && !in.hasRemaining();
      if (phase != Phase.HELLO || begin(in)) {
        boolean complete = input.shakeHands(session(), output, in, shared.nothing);
        if (!runTask() && complete) {
          endHandshake(Phase.OPEN);
        }
      }
      input.keep(in);
      if (ended && isHandshaking() && silent) {
        endHandshake(Phase.ENDED); // a connection that was only opened
      } else if (ended && isHandshaking() && phase != Phase.TASK) {
        throw new EOFException("the client ended its stream");
      }
    } finally {
      loop.bufferPool().release(block);
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
    opened = OpenedSession.open(shared, hello.serverName(), inner::remoteAddress);
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

  /** Has the session's work done, if there is any. Returns true if it has begun. */
  private boolean runTask() {
    Runnable task = input.takeTask();
    if (task == null) {
      return false;
    }
    Phase before = phase;
    phase = Phase.TASK;
    taskRuns = true;
    try {
      new SessionTask(loop, task, thrown -> onTaskEnd(before, thrown), this::onTaskLost).start();
    } catch (Throwable notStarted) {
      taskRuns = false;
      throw notStarted;
    }
    return true;
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
        throw new TlsException(HandshakeFailure.INTERNAL, "a task failed: " + thrown);
      }
      if (before == Phase.OPEN) {
        input.expectContent();
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
    failure = handshake == null ? TlsHandshake.failedLater(cause) : handshake.failed(this, cause);
    try {
      if (cause instanceof HelloException early) {
        output.send(EarlyAnswers.to(early));
      } else if (cause instanceof TlsException && opened != null && !taskRuns) {
        output.sendOf(opened.session);
      }
    } catch (IOException | RuntimeException unsent) {
      output.drop();
    }
    endHandshake(Phase.FAILED);
  }

  /** Ends the connection because of a failure, and returns the exception to throw. */
  private IOException broken(Throwable cause) {
    fail(cause);
    return Objects.requireNonNull(failure);
  }

  // ---- reading ----

  @Override
  protected boolean holdsInput() {
    return phase == Phase.OPEN && !isStuck() && input.holdsContent(session());
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
    try {
      int count = input.read(session(), output, target);
      runTask();
      return count;
    } catch (TlsException | RuntimeException broken) {
      throw broken(broken);
    }
  }

  // ---- writing ----

  @Override
  public boolean takesArrays() {
    return true; // the output copies them a record at a time if the session doesn't take them
  }

  /** Returns true if content may be written now; throws if it can't be written any more. */
  private boolean isWritable() throws IOException {
    return switch (phase) {
      case HELLO, HANDSHAKE, TASK -> false;
      case OPEN -> true;
      case FAILED -> throw Objects.requireNonNull(failure);
      case ENDED, CLOSED -> throw new ClosedChannelException();
    };
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    ByteBuffer[] single = shared.single;
    single[0] = source;
    try {
      return (int) write(single, 0, 1);
    } finally {
      single[0] = shared.nothing;
    }
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    if (!isWritable()) {
      return 0;
    }
    boolean waited = output.isBlocked();
    long taken;
    try {
      taken = output.write(session(), sources, offset, length);
    } catch (TlsException | RuntimeException failed) {
      throw broken(failed);
    }
    resumeAfter(waited);
    return taken;
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    if (!isWritable()) {
      return 0;
    }
    boolean waited = output.isBlocked();
    long sent;
    try {
      sent = output.sendFile(session(), file, position, count);
    } catch (TlsException | RuntimeException failed) {
      throw broken(failed);
    }
    resumeAfter(waited);
    return sent;
  }

  /** Records that have waited may have left, so that the session can continue. */
  private void resumeAfter(boolean waited) {
    if (waited && !output.isBlocked()) {
      updateInterest();
      deliverHeld();
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    if (phase == Phase.OPEN) {
      output.sendEndOf(session());
    }
    endHandshake(Phase.ENDED);
    input.drop();
    if (output.isBlocked()) {
      endsOutput = true;
      updateInterest();
    } else {
      inner.shutdownOutput();
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
        output.sendEndOf(session());
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
    input.drop();
    output.drop();
    if (!taskRuns) {
      freeSession();
    }
  }

  private void freeSession() {
    OpenedSession freed = opened;
    opened = null;
    if (freed != null) {
      freed.free();
    }
  }

  // ---- properties ----

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public @Nullable TlsInfo tls() {
    if (info == null && phase == Phase.OPEN && opened != null) {
      info = opened.info();
    }
    return info;
  }

  @Override
  public boolean restrictsHosts() {
    return shared.current.restrictNames();
  }

  @Override
  public boolean servesHost(@Nullable String host) {
    return opened != null && opened.servesHost(host);
  }

  @Override
  public void keepAddresses() {
    inner.keepAddresses();
    TlsInfo ignored = tls();
  }
}
