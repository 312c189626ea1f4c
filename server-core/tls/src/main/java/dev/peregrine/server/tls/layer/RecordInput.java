package dev.peregrine.server.tls.layer;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.transport.StreamSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The records of one connection on their way from its socket: what was received and not decrypted,
 * most likely the begin of a record. Belongs to the loop.
 */
final class RecordInput {
  /** Bytes of a read: those of a usual turn, and the begin of the record after them. */
  static final int BYTES = 128 * 1024;

  private static final int OVERHEAD_SHIFT = 6; // small records cost less than a 64th

  private StreamSocket inner;
  private final BufferPool pool;
  private byte @Nullable [] received;
  private @Nullable Runnable task; // of the session, for the caller
  private boolean holdsContent; // the session may have more, without bytes from the socket
  private boolean endDelivered; // the reader has read the client's close_notify

  RecordInput(StreamSocket inner, BufferPool pool) {
    this.inner = inner;
    this.pool = pool;
  }

  /** Another socket takes the place of the one under the layer. */
  void moveTo(StreamSocket next) {
    inner = next;
  }

  // ---- bytes ----

  boolean isEmpty() {
    return received == null;
  }

  /** Returns the block's buffer, positioned after the bytes received before. */
  ByteBuffer refill(Block block) {
    ByteBuffer in = RecordOutput.room(block);
    byte[] before = received;
    if (before != null) {
      in.put(before);
      received = null;
    }
    return in;
  }

  /** Keeps the remaining bytes. */
  void keep(ByteBuffer in) {
    if (in.hasRemaining()) {
      byte[] left = new byte[in.remaining()];
      in.get(left);
      received = left;
    }
  }

  void drop() {
    received = null;
  }

  // ---- content ----

  /** The session may have content, though nothing arrives. */
  void expectContent() {
    holdsContent = true;
  }

  /** Returns true if a read may return content, or the end, though nothing arrives. */
  boolean holdsContent(TlsSession session) {
    return holdsContent || (session.isInputEnded() && !endDelivered);
  }

  /**
   * Continues the handshake as far as possible. The caller must run {@link #takeTask} afterwards if
   * there is one.
   *
   * @param in received bytes
   * @param nothing a buffer without room
   * @return true if the handshake is complete
   */
  boolean shakeHands(TlsSession session, RecordOutput output, ByteBuffer in, ByteBuffer nothing)
      throws IOException {
    for (boolean stuck = false; ; ) {
      output.sendOf(session);
      if (output.isBlocked()) {
        return false;
      }
      task = session.task();
      if (task != null) {
        return false;
      }
      if (!session.isHandshaking()) {
        holdsContent = true; // possibly, after the handshake's records
        return true;
      }
      if (stuck) {
        return false;
      }
      int before = in.position();
      holdsContent = session.unwrap(in, nothing);
      stuck = in.position() == before && !session.hasOutput();
    }
  }

  /**
   * Reads once unless the session holds content, and decrypts. The caller must run {@link
   * #takeTask} afterwards if there is one.
   *
   * @param output sends the records that the session responds with
   * @return as of a socket: bytes of content, 0 for none, -1 for the end
   */
  int read(TlsSession session, RecordOutput output, ByteBuffer target) throws IOException {
    int start = target.position();
    boolean ended = false;
    Block block = pool.acquire(BYTES);
    try {
      ByteBuffer in = refill(block);
      if (!holdsContent && !session.isInputEnded()) {
        int wanted = target.remaining() + (target.remaining() >> OVERHEAD_SHIFT);
        int most = in.position() + Math.max(wanted, TlsSession.RECORD_BYTES_MAX);
        ended = inner.read(in.limit(Math.min(most, in.limit()))) < 0;
      }
      in.flip();
      unwrapAll(session, output, in, target);
      keep(in);
    } finally {
      pool.release(block);
    }
    int count = target.position() - start;
    if (count > 0 || task != null) {
      return count;
    }
    if (session.isInputEnded()) {
      endDelivered = true;
      return -1;
    }
    if (ended) {
      throw new EOFException("the stream ended without close_notify");
    }
    return 0;
  }

  private void unwrapAll(TlsSession session, RecordOutput output, ByteBuffer in, ByteBuffer target)
      throws IOException {
    while (true) {
      holdsContent = session.unwrap(in, target);
      task = session.task();
      if (task != null || !session.hasOutput()) {
        return;
      }
      output.sendOf(session);
      if (output.isBlocked()) {
        holdsContent = true; // possibly, in the remaining bytes
        return;
      }
    }
  }

  /** Returns the work that the session needs done before it is used again; null for none. */
  @Nullable Runnable takeTask() {
    Runnable taken = task;
    task = null;
    return taken;
  }
}
