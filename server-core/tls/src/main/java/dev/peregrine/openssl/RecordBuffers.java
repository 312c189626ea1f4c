package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Input and output memory of all sessions of one thread. A session has no buffers between two
 * calls, so an idle connection holds none.
 *
 * <pre>
 *  socket ──▶ caller's memory ◀──reads── SSL ──writes──▶ output ──▶ caller's memory ──▶ socket
 * </pre>
 *
 * <p>The input is a read-only memory BIO, whose {@code BUF_MEM} (a public structure) is set and
 * read here. So input is neither copied nor passed by a call. The output is a memory BIO that grows
 * as needed, and holds the records of several calls. When another session is used, remaining output
 * moves to its own session. Used only by the thread that creates it, until {@link #handOver}, which
 * is checked where assertions are enabled; freed by the garbage collector, after its sessions.
 */
public final class RecordBuffers {
  private static final int CTRL_RESET = 1;
  private static final int CTRL_GET_BUF_MEM_PTR = 115;
  private static final int CTRL_SET_BUF_MEM_EOF_RETURN = 130;
  private static final int FLAG_NONCLEAR_RESET = 0x400;
  private static final int RETRY = -1;

  // struct buf_mem_st
  private static final long LENGTH = 0;
  private static final long DATA = 8;
  private static final long MAX = 16;
  private static final long STATE_BYTES = 32;

  private static final long SCRATCH_BYTES = 64;

  /**
   * The limit of output in bytes, which bounds the memory of a thread: about as much as a socket
   * takes at a time.
   */
  private static final int OUTPUT_BYTES_FULL = 256 * 1024;

  /** The BIOs, for the sessions. */
  final long input;

  final long output;

  private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);

  /** Memory for results that OpenSSL writes. */
  final long scratchAddress = scratch.address();

  private final MemorySegment inputState;
  private final MemorySegment outputState;
  private final boolean confined;
  private @Nullable Thread owner = Thread.currentThread(); // null until the next call
  private long viewAddress;
  private ByteBuffer view = ByteBuffer.allocate(0);
  private int outputTaken;
  private @Nullable KeptOutput user; // the session whose output this has

  /**
   * Creates the buffers of a thread.
   *
   * @throws UnsupportedOperationException if OpenSSL can't be used
   */
  public RecordBuffers() {
    this(true);
  }

  /**
   * Creates buffers that one thread at a time uses.
   *
   * @param confined true to check, where assertions are enabled, that only {@link #handOver}
   *     changes that thread; false if the caller guarantees one thread at a time
   * @throws UnsupportedOperationException if OpenSSL can't be used
   */
  public RecordBuffers(boolean confined) {
    this.confined = confined;
    input = call(Functions.BIO_NEW_MEM_BUF, scratchAddress, 0);
    output = call(Functions.BIO_NEW, call(Functions.BIO_S_MEM));
    if (input == 0 || output == 0) {
      throw new OutOfMemoryError("OpenSSL has no memory");
    }
    call(Functions.BIO_CTRL, input, CTRL_SET_BUF_MEM_EOF_RETURN, RETRY, 0);
    call(Functions.BIO_SET_FLAGS, output, FLAG_NONCLEAR_RESET);
    inputState = state(input, scratch);
    outputState = state(output, scratch);
  }

  /** Returns the state of a BIO, which is freed when the state is unreachable. */
  @SuppressWarnings("restricted") // OpenSsl checks native access first
  private static MemorySegment state(long bio, MemorySegment scratch) {
    call(Functions.BIO_CTRL, bio, CTRL_GET_BUF_MEM_PTR, 0, scratch.address());
    return MemorySegment.ofAddress(scratch.get(ValueLayout.JAVA_LONG, 0))
        .reinterpret(STATE_BYTES, Arena.ofAuto(), ignored -> call(Functions.BIO_FREE, bio));
  }

  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  private boolean isOwned() {
    if (owner == null) {
      owner = Thread.currentThread();
    }
    return !confined || owner == Thread.currentThread();
  }

  /** Lets another thread use the buffers and their session from the next call on. */
  public void handOver() {
    owner = null;
  }

  /** Begins a call of a session. Remaining output of another session moves to that one. */
  void claim(KeptOutput session) {
    assert isOwned() : "a loop's buffers are used by " + Thread.currentThread();
    if (user != session) {
      release();
      user = session;
    }
  }

  /** Returns true if these buffers hold a session's output. */
  boolean isUsedBy(KeptOutput session) {
    return user == session;
  }

  /** Moves remaining output to the session that has written it. */
  private void release() {
    KeptOutput last = user;
    if (last != null && outputBytes() > 0) {
      last.add(Pointers.bytes(outputAddress(), outputBytes()));
      clearOutput();
    }
  }

  /** Drops a session with its output. */
  void forget(KeptOutput session) {
    if (user == session) {
      clearOutput();
      user = null;
    }
  }

  /** Sets the bytes that the next call of a session reads, where they lie. */
  void offer(long address, int bytes) {
    inputState.set(ValueLayout.JAVA_LONG, LENGTH, bytes);
    inputState.set(ValueLayout.JAVA_LONG, DATA, address);
    inputState.set(ValueLayout.JAVA_LONG, MAX, bytes);
  }

  /** Returns how many of the offered bytes no call has read. */
  int unread() {
    return (int) inputState.get(ValueLayout.JAVA_LONG, LENGTH);
  }

  /** Returns the number of bytes of output. */
  int outputBytes() {
    return (int) outputState.get(ValueLayout.JAVA_LONG, LENGTH) - outputTaken;
  }

  /** Returns the address of the output. */
  long outputAddress() {
    return outputState.get(ValueLayout.JAVA_LONG, DATA) + outputTaken;
  }

  /** Moves output to a buffer, as many bytes as fit. */
  void takeOutput(ByteBuffer target) {
    int bytes = Math.min(target.remaining(), outputBytes());
    if (bytes == 0) {
      return;
    }
    target.put(target.position(), outputView(), outputTaken, bytes);
    target.position(target.position() + bytes);
    outputTaken += bytes;
    if (outputBytes() == 0) {
      clearOutput();
    }
  }

  /** Returns a buffer over all of the output's memory, which is another one after it has grown. */
  private ByteBuffer outputView() {
    long address = outputState.get(ValueLayout.JAVA_LONG, DATA);
    long bytes = outputState.get(ValueLayout.JAVA_LONG, MAX);
    if (address != viewAddress || bytes != view.capacity()) {
      viewAddress = address;
      view = Pointers.view(address, bytes);
    }
    return view;
  }

  private void clearOutput() {
    outputTaken = 0;
    outputState.set(ValueLayout.JAVA_LONG, LENGTH, 0);
    call(Functions.BIO_CTRL, output, CTRL_RESET, 0, 0);
  }

  /** Returns true if the output should be sent before more is written. */
  boolean isFull() {
    return outputBytes() >= OUTPUT_BYTES_FULL;
  }

  /** Returns true if the library uses its memory as this class expects. */
  boolean work() {
    Pointers.set(scratchAddress, 0x0605_0403_0201L);
    return inputWorks() && outputWorks(Byte.BYTES) && outputWorks(Short.BYTES);
  }

  private boolean inputWorks() {
    long target = scratchAddress + Long.BYTES;
    offer(scratchAddress, 3);
    boolean partial = (int) call(Functions.BIO_READ, input, target, 2) == 2 && unread() == 1;
    boolean rest = (int) call(Functions.BIO_READ, input, target + 2, 2) == 1 && unread() == 0;
    boolean empty = (int) call(Functions.BIO_READ, input, target, 2) == RETRY;
    return partial && rest && empty && Pointers.equal(scratchAddress, target, 3);
  }

  private boolean outputWorks(int bytes) {
    int written = (int) call(Functions.BIO_WRITE, output, scratchAddress, bytes);
    boolean works =
        written == bytes
            && outputBytes() == bytes
            && Pointers.equal(outputAddress(), scratchAddress, bytes);
    clearOutput();
    return works && outputBytes() == 0;
  }
}
