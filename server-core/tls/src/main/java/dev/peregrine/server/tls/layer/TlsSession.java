package dev.peregrine.server.tls.layer;

import dev.peregrine.tls.TlsInfo;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of TLS on one connection: turns received records into content, and content into
 * records. It does no I/O. All buffers belong to the caller again after the call, and are direct
 * unless {@link #takesArrays}. Used by the event loop's thread only, except for {@link #task}.
 *
 * <p>The caller alternates {@link #unwrap} and {@link #wrap}, in the handshake and after it:
 *
 * <ul>
 *   <li>while {@link #hasOutput}, it calls {@code wrap} and sends the records, before anything
 *       else;
 *   <li>while {@link #task} returns work, it has that run, and makes no other calls;
 *   <li>otherwise it calls {@code unwrap} with the received bytes.
 * </ul>
 *
 * <p>After an exception, {@code hasOutput} and {@code wrap} still yield the alert for the peer if
 * there is one. Then only {@link #free} may follow.
 */
public interface TlsSession {
  /** The largest record that {@link #wrap} writes, with its header. */
  int RECORD_BYTES_MAX = 16 * 1024 + 512;

  /** The largest number of bytes of content in a record. */
  int CONTENT_BYTES_MAX = 16 * 1024;

  /**
   * Processes received records. Consumes as many as it can. It stops if it has output to send or a
   * task to run, if the room for content is used up, and before an incomplete record, which the
   * caller offers again with later bytes. An engine may also consume incomplete records and keep
   * them.
   *
   * @param records received bytes; the position moves after the consumed ones
   * @param content room for content; may have no room at all
   * @return true if the session, or the rest of the records, may have more content
   * @throws TlsException if the peer violates the protocol, has sent an alert, or isn't accepted
   */
  boolean unwrap(ByteBuffer records, ByteBuffer content) throws TlsException;

  /**
   * Writes the next records: pending output first ({@link #hasOutput}), otherwise one record of
   * content. Content must not be offered before the end of the handshake, nor after {@link
   * #endOutput}.
   *
   * @param content at most {@link #CONTENT_BYTES_MAX}; the position moves after the consumed bytes,
   *     which may be fewer
   * @param records room for at least {@link #RECORD_BYTES_MAX}
   */
  void wrap(ByteBuffer content, ByteBuffer records) throws TlsException;

  /** Returns true if {@link #wrap} works on heap arrays, and would copy other content to one. */
  default boolean takesArrays() {
    return false;
  }

  /** Returns true until the handshake is complete. */
  boolean isHandshaking();

  /** Returns true if the session has records without content to send. */
  boolean hasOutput();

  /** Returns true if the peer has ended its side in order, by close_notify. */
  boolean isInputEnded();

  /**
   * Returns work that must be done before the session can continue; null if it has none. It may
   * take long or block, so it must run on another thread. The task doesn't throw: the next call
   * throws its failure. Each task is returned once.
   */
  @Nullable Runnable task();

  /** Ends this side: makes close_notify the last output. No content may follow. */
  void endOutput() throws TlsException;

  /**
   * Returns the facts; only after the handshake. They are copied from the session, so they can be
   * used on any thread, and after its end.
   *
   * @param serverName the name that the client requested, or null
   */
  TlsInfo info(@Nullable String serverName);

  /** Releases all memory; no method may be called afterwards. Not while a task runs. */
  void free();
}
