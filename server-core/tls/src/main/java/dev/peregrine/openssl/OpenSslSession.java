package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of TLS on one connection: an {@code SSL} between the caller's buffers. It
 * allocates nothing per record. Used by the thread of its {@link RecordBuffers}; the owner closes
 * it.
 *
 * <p>Call {@link #offer} before each call that reads. Afterwards {@link #unread} returns the number
 * of bytes that are left; an incomplete record isn't left, because OpenSSL keeps it. Each call may
 * write records, which {@link #takeOutput} returns. A call that fails may too, because the peer
 * gets an alert.
 */
public final class OpenSslSession implements AutoCloseable {
  /** The handshake is complete. */
  public static final int DONE = 1;

  /** A record without content was read, or all offered bytes. */
  public static final int WANTS_INPUT = 0;

  /** The peer has ended its side by close_notify. */
  public static final int ENDED = -1;

  /** The session has failed; see {@link #failure}. */
  public static final int FAILED = -2;

  /** The output must be taken before the session continues. */
  public static final int WANTS_OUTPUT = -3;

  // SSL_get_error
  private static final int ERROR_WANT_READ = 2;
  private static final int ERROR_ZERO_RETURN = 6;

  private static final int BOTH_SHUTDOWN = 3;
  private static final int HAS_PENDING = 1;

  private static final LongAdder LIVE = new LongAdder();

  /** Keeps the callbacks' memory reachable as long as the session is. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final OpenSslContext context;

  private final KeptOutput kept = new KeptOutput();
  private RecordBuffers buffers;
  private long ssl;
  private boolean established;
  private @Nullable OpenSslFailure failure;

  OpenSslSession(OpenSslContext context, long contextAddress, RecordBuffers buffers) {
    this.context = context;
    this.buffers = buffers;
    ssl = call(Functions.SSL_NEW, contextAddress);
    if (ssl == 0) {
      ErrorQueue.clear();
      throw new OutOfMemoryError("OpenSSL has no memory for a session");
    }
    LIVE.increment();
    connect();
    call(Functions.SSL_SET_ACCEPT_STATE, ssl);
  }

  private void connect() {
    call(Functions.BIO_UP_REF, buffers.input);
    call(Functions.BIO_UP_REF, buffers.output);
    call(Functions.SSL_SET_BIO, ssl, buffers.input, buffers.output);
  }

  /**
   * Lets the session use other buffers from now on, on the thread of those. Call it only while the
   * output is empty, and between two records of the input.
   */
  public void moveTo(RecordBuffers next) {
    buffers.forget(kept);
    buffers = next;
    connect();
  }

  /** Returns the number of sessions that exist; for tests. */
  public static long live() {
    return LIVE.sum();
  }

  /**
   * Sets the scope of this session before its handshake, in place of that of its context; see
   * {@link ContextBuilder#sessionScope}.
   *
   * @param scope at most {@link ContextBuilder#SCOPE_BYTES_MAX} bytes
   */
  public void scope(byte[] scope) {
    long copy = buffers.scratchAddress;
    Pointers.set(copy, scope);
    long set = call(Functions.SSL_SET_SESSION_ID_CONTEXT, ssl, copy, scope.length);
    if ((int) set != 1) {
      throw new IllegalArgumentException("the scope of a session is too long");
    }
  }

  /** Sets the bytes that the next call reads, in native memory. */
  public void offer(long address, int bytes) {
    buffers.claim(kept);
    buffers.offer(address, bytes);
  }

  /** Returns how many of the offered bytes the call has not read. */
  public int unread() {
    return buffers.unread();
  }

  /**
   * Continues the handshake.
   *
   * @return {@link #DONE}, {@link #WANTS_INPUT}, {@link #FAILED}
   */
  public int handshake() {
    if (failure != null) {
      return FAILED;
    }
    begin();
    int result = (int) call(Functions.SSL_DO_HANDSHAKE, ssl);
    if (result == 1) {
      ErrorQueue.clear(); // a handshake may succeed and yet leave errors
      established = true;
      return DONE;
    }
    int reason = interrupted(result);
    if (reason != ENDED) {
      return reason;
    }
    failure = OpenSslFailure.ENDED_EARLY;
    return FAILED;
  }

  /**
   * Prepares a call that may fail. The thread's queue of errors must be empty, because OpenSSL
   * can't tell this call's errors from those that another user of the thread has left there.
   */
  private void begin() {
    buffers.claim(kept);
    ErrorQueue.clear();
  }

  /**
   * Reads content of one record.
   *
   * @param target in native memory
   * @param bytes more than 0
   * @return the number of bytes, {@link #WANTS_INPUT}, {@link #ENDED} or {@link #FAILED}
   */
  public int read(long target, int bytes) {
    if (failure != null) {
      return FAILED;
    }
    begin();
    int count = readNext(target, bytes);
    // OpenSSL puts an update of keys aside while it responds to an earlier one.
    boolean isPutAside =
        count == WANTS_INPUT && (int) call(Functions.SSL_HAS_PENDING, ssl) == HAS_PENDING;
    return isPutAside ? readNext(target, bytes) : count;
  }

  private int readNext(long target, int bytes) {
    int count = (int) call(Functions.SSL_READ, ssl, target, bytes);
    return count > 0 ? count : interrupted(count);
  }

  /**
   * Returns why a call that reads was interrupted. A fatal alert of the peer is a failure: it ends
   * the input as close_notify does, but leaves an error.
   */
  private int interrupted(int result) {
    return switch ((int) call(Functions.SSL_GET_ERROR, ssl, result)) {
      case ERROR_WANT_READ -> WANTS_INPUT;
      case ERROR_ZERO_RETURN -> ENDED;
      default -> fail();
    };
  }

  /**
   * Writes content, in as many records as it takes.
   *
   * @param source in native memory
   * @param bytes more than 0
   * @return bytes, {@link #WANTS_OUTPUT} or {@link #FAILED}
   */
  public int write(long source, int bytes) {
    if (failure != null) {
      return FAILED;
    }
    begin();
    if (!kept.isEmpty() || buffers.isFull()) {
      return WANTS_OUTPUT;
    }
    int count = (int) call(Functions.SSL_WRITE, ssl, source, bytes);
    return count > 0 ? count : fail();
  }

  /** Writes close_notify, if the handshake is complete; no content may follow. */
  public void endOutput() {
    if (failure == null && established) {
      begin();
      if ((int) call(Functions.SSL_SHUTDOWN, ssl) < 0) {
        ErrorQueue.clear(); // no memory for a record; the connection ends anyway
      }
    }
  }

  /** Returns true if there are records to be sent. */
  public boolean hasOutput() {
    return !kept.isEmpty() || (buffers.isUsedBy(kept) && buffers.outputBytes() > 0);
  }

  /** Moves records to a buffer, as many bytes as fit. */
  public void takeOutput(ByteBuffer target) {
    kept.take(target);
    if (kept.isEmpty() && buffers.isUsedBy(kept)) {
      buffers.takeOutput(target);
    }
  }

  private int fail() {
    failure = OpenSslFailure.of(ErrorQueue.drain());
    return FAILED;
  }

  /** Returns why the session has failed, or null. */
  public @Nullable OpenSslFailure failure() {
    return failure;
  }

  // ---- the outcome of the handshake ----

  /** Returns the version, such as {@code TLSv1.3}. */
  public String version() {
    return Objects.requireNonNull(Pointers.text(call(Functions.SSL_GET_VERSION, ssl)));
  }

  /** Returns the standard name of the cipher suite. */
  public String cipherSuite() {
    long suite = call(Functions.SSL_GET_CURRENT_CIPHER, ssl);
    String name = Pointers.text(call(Functions.SSL_CIPHER_STANDARD_NAME, suite));
    return Objects.requireNonNullElse(name, "(NONE)");
  }

  /** Returns the application protocol, or null. */
  public @Nullable String applicationProtocol() {
    long pointer = buffers.scratchAddress;
    long size = pointer + Long.BYTES;
    call(Functions.SSL_GET0_ALPN_SELECTED, ssl, pointer, size);
    int bytes = Pointers.getInt(size);
    return bytes == 0 ? null : Pointers.latin(Pointers.get(pointer), bytes);
  }

  /** Returns true if an earlier session was resumed. */
  public boolean isResumed() {
    return (int) call(Functions.SSL_SESSION_REUSED, ssl) == 1;
  }

  /** Returns the client's certificate and its issuers as sent, in DER; may be empty. */
  public List<byte[]> clientCertificates() {
    long own = call(Functions.SSL_GET1_PEER_CERTIFICATE, ssl);
    if (own == 0) {
      return List.of();
    }
    List<byte[]> chain = new ArrayList<>();
    try (X509 certificate = new X509(own)) {
      chain.add(X509.encode(certificate.address()));
    }
    long others = call(Functions.SSL_GET_PEER_CERT_CHAIN, ssl); // null after a resumption
    int count = others == 0 ? 0 : (int) call(Functions.OPENSSL_SK_NUM, others);
    for (int i = 0; i < count; i++) {
      chain.add(X509.encode(call(Functions.OPENSSL_SK_VALUE, others, i)));
    }
    return chain;
  }

  /** Frees the session with its output. */
  @Override
  public void close() {
    if (ssl != 0) {
      buffers.forget(kept);
      kept.clear();
      // Otherwise OpenSSL would look it up in the context's cache, under a lock.
      call(Functions.SSL_SET_SHUTDOWN, ssl, BOTH_SHUTDOWN);
      call(Functions.SSL_FREE, ssl);
      ssl = 0;
      LIVE.decrement();
    }
  }
}
