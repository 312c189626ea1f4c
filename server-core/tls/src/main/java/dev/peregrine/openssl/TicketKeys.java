package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The keys that session tickets are encrypted with. All threads share them. A key encrypts for
 * {@link #PERIOD_SECONDS} and decrypts for as long again, until its last ticket has expired. The
 * key is replaced by the first handshake that finds it too old, so no timer is needed.
 *
 * <p>The keys lie in native memory, because OpenSSL's callback finds them by a pointer. A published
 * generation is never changed.
 */
public final class TicketKeys {
  /** The time for which OpenSSL accepts a session. */
  static final long PERIOD_SECONDS = 2 * 60 * 60;

  static final int NAME_BYTES = 16;
  private static final int KEY_BYTES = 32;

  // A generation: name, keys of cipher and MAC, name of the hash, then three OSSL_PARAM
  static final long NAME = 0;
  static final long CIPHER_KEY = NAME + NAME_BYTES;
  private static final long MAC_KEY = CIPHER_KEY + KEY_BYTES;
  private static final long SECRET_BYTES = MAC_KEY + KEY_BYTES;
  private static final long HASH = SECRET_BYTES;
  private static final long MAC_KEY_NAME = HASH + 8;
  private static final long HASH_NAME = MAC_KEY_NAME + 8;
  static final long PARAMETERS = HASH_NAME + 8;
  private static final long PARAMETER_BYTES = 40; // key, type, data, size, returned size
  private static final int PARAMETERS_COUNT = 3; // the last one ends the array
  private static final long GENERATION_BYTES = PARAMETERS + PARAMETERS_COUNT * PARAMETER_BYTES;
  private static final int UTF8_STRING = 4;
  private static final int OCTET_STRING = 5;

  // The head: addresses of the generations in use, and the end of the current one's time
  static final long CURRENT = 0;
  static final long PREVIOUS = 8;
  static final long CURRENT_UNTIL = 16;
  private static final long HEAD_BYTES = 24;

  /**
   * The number of kept generations: more than the two in use, for a callback that has just read the
   * head.
   */
  private static final int KEPT_MAX = 4;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment head = Arena.ofAuto().allocate(HEAD_BYTES, Long.BYTES);
  private final Deque<MemorySegment> kept = new ArrayDeque<>();

  /**
   * Creates random keys.
   *
   * @throws UnsupportedOperationException if OpenSSL can't be used
   */
  public TicketKeys() {
    OpenSsl.require();
    rotate();
  }

  /** Returns the address of the head, for the callback. */
  long address() {
    return head.address();
  }

  /** Replaces the current key, which then only decrypts; callable from any thread. */
  public synchronized void rotate() {
    MemorySegment next = generate();
    kept.addLast(next);
    if (kept.size() > KEPT_MAX) {
      kept.removeFirst().asSlice(0, SECRET_BYTES).fill((byte) 0);
    }
    long replaced = (long) WORD.get(head, CURRENT);
    WORD.setVolatile(head, PREVIOUS, replaced == 0 ? next.address() : replaced);
    WORD.setVolatile(head, CURRENT, next.address());
    WORD.setVolatile(head, CURRENT_UNTIL, seconds() + PERIOD_SECONDS);
  }

  /** Rotates if the current key is too old. */
  void rotateIfDue() {
    if (isDue()) {
      synchronized (this) {
        if (isDue()) {
          rotate();
        }
      }
    }
  }

  private boolean isDue() {
    return seconds() > (long) WORD.getVolatile(head, CURRENT_UNTIL);
  }

  private static long seconds() {
    return System.nanoTime() / 1_000_000_000L;
  }

  private static MemorySegment generate() {
    MemorySegment memory = Arena.ofAuto().allocate(GENERATION_BYTES, Long.BYTES);
    long address = memory.address();
    if ((int) call(Functions.RAND_BYTES, address, SECRET_BYTES) != 1) {
      throw new IllegalStateException("OpenSSL has no random numbers for session tickets");
    }
    memory.setString(HASH, "SHA256");
    memory.setString(MAC_KEY_NAME, "key");
    memory.setString(HASH_NAME, "digest");
    parameter(memory, 0, MAC_KEY_NAME, OCTET_STRING, MAC_KEY, KEY_BYTES);
    parameter(memory, 1, HASH_NAME, UTF8_STRING, HASH, "SHA256".length());
    return memory;
  }

  /** Writes a {@code struct ossl_param_st}. */
  private static void parameter(
      MemorySegment memory, int index, long name, int type, long data, long bytes) {
    long at = PARAMETERS + index * PARAMETER_BYTES;
    memory.set(ValueLayout.JAVA_LONG, at, memory.address() + name);
    memory.set(ValueLayout.JAVA_INT, at + 8, type);
    memory.set(ValueLayout.JAVA_LONG, at + 16, memory.address() + data);
    memory.set(ValueLayout.JAVA_LONG, at + 24, bytes);
  }
}
