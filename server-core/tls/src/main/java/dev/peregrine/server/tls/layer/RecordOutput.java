package dev.peregrine.server.tls.layer;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The records of one connection on their way to its socket: content becomes records, and all
 * records of one write are sent by one write. Belongs to the loop.
 *
 * <p>Records that the socket doesn't take are kept, and no more content is encrypted before they
 * are sent. Until then, their content counts as not written. A caller must offer it again, so it
 * doesn't consider the content sent before its records are.
 */
final class RecordOutput {
  /** Room for the records of a usual turn: its 64 KiB of content, and more. */
  private static final int OUTPUT_BYTES = 128 * 1024;

  /** Bytes of a file that are read at a time: their records fit into a block of 64 KiB. */
  private static final int FILE_BYTES = 56 * 1024;

  // Bounds a turn, in which a fast peer would otherwise receive a whole response.
  private static final int WRITTEN_BYTES_MAX = 1024 * 1024;

  // A client can use a record only when all of it has arrived. So the first records of a response
  // are as large as a packet, until the network's window has grown.
  private static final int FIRST_CONTENT_BYTES = 1369;
  private static final int FIRST_BYTES = 40 * 1024;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private StreamSocket inner;
  private final TlsLoop shared;
  private final BufferPool pool;
  private @Nullable Block pending; // records that wait, at the block's content
  private int owed; // bytes of content in them that count as not written
  private boolean broken; // it isn't known which content was sent: none may follow
  private int sentSinceIdle; // up to the size that matters
  private long sentNanos;

  /** Creates the output of a connection; the socket takes its records. */
  RecordOutput(StreamSocket inner, TlsLoop shared) {
    this.inner = inner;
    this.shared = shared;
    this.pool = shared.loop.bufferPool();
    this.sentNanos = shared.loop.nanos() - IDLE_NANOS;
  }

  /** Another socket takes the place of the one under the layer. */
  void moveTo(StreamSocket next) {
    inner = next;
  }

  /** Returns the block's memory except its slack, so that a block of that size can keep a copy. */
  static ByteBuffer room(Block block) {
    return block.range(0, block.capacity() - BufferPool.SLACK_BYTES);
  }

  /** Returns true if records wait until the socket is writable. */
  boolean isBlocked() {
    return pending != null;
  }

  /** Sends waiting records, as far as the socket takes them. */
  void flush() throws IOException {
    Block block = pending;
    if (block == null) {
      return;
    }
    ByteBuffer left = block.range(block.contentFrom(), block.contentTo());
    inner.write(left);
    block.content(left.position(), left.limit());
    if (!left.hasRemaining()) {
      drop();
    }
  }

  /** Sends the end of the session's stream, unless the client is behind, or gets no more. */
  void sendEndOf(TlsSession session) throws IOException {
    if (isBlocked() || broken) {
      return;
    }
    try {
      session.endOutput();
      sendOf(session);
    } catch (TlsException | RuntimeException failed) {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, failed);
    }
  }

  void drop() {
    Block block = pending;
    pending = null;
    if (block != null) {
      pool.release(block);
    }
  }

  private int pendingBytes() {
    Block block = pending;
    return block == null ? 0 : block.contentTo() - block.contentFrom();
  }

  /** Writes bytes, and keeps a copy of those that the socket doesn't take. */
  void send(ByteBuffer bytes) throws IOException {
    inner.write(bytes);
    int left = bytes.remaining();
    if (left > 0) {
      Block kept = acquireFor(left);
      kept.range(0, left).put(bytes);
      kept.content(0, left);
      pending = kept;
    }
  }

  /** Acquires a block for the rest of records that were sent in part. */
  private Block acquireFor(int rest) {
    try {
      return pool.acquire(rest + BufferPool.SLACK_BYTES);
    } catch (Throwable noMemory) {
      broken = true;
      throw noMemory;
    }
  }

  /** Sends the session's own records, unless others wait. */
  void sendOf(TlsSession open) throws IOException {
    while (pending == null && open.hasOutput()) {
      Block block = pool.acquire(OUTPUT_BYTES / 2);
      try {
        ByteBuffer records = room(block);
        while (open.hasOutput() && records.remaining() >= TlsSession.RECORD_BYTES_MAX) {
          open.wrap(shared.nothing, records);
        }
        send(records.flip());
      } finally {
        pool.release(block);
      }
    }
  }

  // ---- content ----

  /**
   * Sends content as records. Returns how many bytes of it count as written. If this throws, as for
   * want of memory, the next call throws as well, because content would be sent twice.
   */
  long write(TlsSession session, ByteBuffer[] sources, int offset, int length) throws IOException {
    beginWrite();
    long taken = writeAll(session, sources, offset, length);
    broken = false;
    return taken;
  }

  /** Notes that the output is broken unless the write that begins returns. */
  private void beginWrite() throws IOException {
    if (broken) {
      throw new IOException("an earlier write has failed");
    }
    broken = true;
  }

  private long writeAll(TlsSession session, ByteBuffer[] sources, int offset, int length)
      throws IOException {
    long taken = 0;
    int count = Math.min(length, TlsLoop.SOURCES_MAX);
    if (owed > 0 || pending != null) {
      taken = skip(sources, offset, count, settle());
    }
    if (pending == null) {
      sendOf(session);
    }
    while (pending == null && taken < WRITTEN_BYTES_MAX && has(sources, offset, count)) {
      taken += encrypt(session, sources, offset, count);
    }
    return taken;
  }

  private int write(TlsSession session, ByteBuffer source) throws IOException {
    ByteBuffer[] single = shared.single;
    single[0] = source;
    try {
      return (int) writeAll(session, single, 0, 1);
    } finally {
      single[0] = shared.nothing;
    }
  }

  /** Returns how many bytes of content count as written since their records were kept. */
  private int settle() throws IOException {
    flush();
    int left = Math.min(owed, pendingBytes());
    int settled = owed - left;
    owed = left;
    return settled;
  }

  private static int skip(ByteBuffer[] sources, int offset, int count, int bytes) {
    int left = bytes;
    for (int i = offset; i < offset + count && left > 0; i++) {
      int part = Math.min(left, sources[i].remaining());
      sources[i].position(sources[i].position() + part);
      left -= part;
    }
    return bytes - left;
  }

  private static boolean has(ByteBuffer[] sources, int offset, int count) {
    for (int i = offset; i < offset + count; i++) {
      if (sources[i].hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  /** Encrypts as much as fits into one write. Returns how many bytes count as written. */
  private int encrypt(TlsSession session, ByteBuffer[] sources, int offset, int count)
      throws IOException {
    for (int i = 0; i < count; i++) {
      shared.starts[i] = sources[offset + i].position();
    }
    Block block = pool.acquire(OUTPUT_BYTES);
    try {
      ByteBuffer records = room(block);
      int taken = 0;
      int first = offset;
      while (records.remaining() >= 2 * TlsSession.RECORD_BYTES_MAX) {
        while (first < offset + count && !sources[first].hasRemaining()) {
          first++;
        }
        if (first == offset + count) {
          break;
        }
        taken += encryptNext(session, sources, first, offset + count, records);
      }
      send(records.flip());
      owed = Math.min(taken, pendingBytes());
      giveBack(sources, offset, count, owed);
      return taken - owed;
    } finally {
      pool.release(block);
    }
  }

  /** Encrypts the next bytes into one or two records; small pieces are joined. */
  private int encryptNext(
      TlsSession session, ByteBuffer[] sources, int from, int to, ByteBuffer records)
      throws IOException {
    int size = contentBytes();
    ByteBuffer source = sources[from];
    int taken;
    boolean isUsable = source.isDirect() || session.takesArrays();
    if (isUsable && (from + 1 == to || source.remaining() >= size)) {
      int start = source.position();
      int limit = source.limit();
      source.limit(Math.min(limit, start + size));
      try {
        session.wrap(source, records);
      } finally {
        source.limit(limit);
      }
      taken = source.position() - start;
    } else {
      taken = encryptGathered(session, sources, from, to, records, size);
    }
    sentSinceIdle = Math.min(sentSinceIdle + taken, FIRST_BYTES);
    return taken;
  }

  /** Copies the content of the next record first: small pieces, or a part of an array. */
  private int encryptGathered(
      TlsSession session, ByteBuffer[] sources, int from, int to, ByteBuffer records, int size)
      throws IOException {
    Block block = pool.acquire(size);
    try {
      ByteBuffer content = block.range(0, size);
      for (int i = from; i < to && content.hasRemaining(); i++) {
        int part = Math.min(sources[i].remaining(), content.remaining());
        content.put(content.position(), sources[i], sources[i].position(), part);
        content.position(content.position() + part);
        sources[i].position(sources[i].position() + part);
      }
      content.flip();
      int bytes = content.remaining();
      while (content.hasRemaining()) {
        session.wrap(content, records);
      }
      return bytes;
    } finally {
      pool.release(block);
    }
  }

  /** Returns the size of the next record. */
  private int contentBytes() {
    long now = shared.loop.nanos();
    if (now - sentNanos >= IDLE_NANOS) {
      sentSinceIdle = 0;
    }
    sentNanos = now;
    return sentSinceIdle < FIRST_BYTES ? FIRST_CONTENT_BYTES : TlsSession.CONTENT_BYTES_MAX;
  }

  private void giveBack(ByteBuffer[] sources, int offset, int count, int bytes) {
    int left = bytes;
    for (int i = count - 1; i >= 0 && left > 0; i--) {
      ByteBuffer source = sources[offset + i];
      int part = Math.min(left, source.position() - shared.starts[i]);
      source.position(source.position() - part);
      left -= part;
    }
  }

  /** Sends a part of a file like {@link #write}. Returns how many bytes of it were sent. */
  long sendFile(TlsSession session, FileChannel file, long position, long count)
      throws IOException {
    beginWrite();
    long sent = encryptFile(session, file, position, count);
    broken = false;
    return sent;
  }

  /** Reads parts of the file into the loop's memory, and encrypts them there. */
  private long encryptFile(TlsSession session, FileChannel file, long position, long count)
      throws IOException {
    long sent = owed > 0 || pending != null ? settle() : 0;
    while (sent < count && pending == null) {
      Block block = pool.acquire(FILE_BYTES);
      try {
        ByteBuffer part = block.range(0, (int) Math.min(count - sent, FILE_BYTES));
        int read = file.read(part, position + sent);
        if (read <= 0) {
          break;
        }
        int taken = write(session, part.flip());
        sent += taken;
        if (taken < read) {
          break;
        }
      } finally {
        pool.release(block);
      }
    }
    return sent;
  }
}
