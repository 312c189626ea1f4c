package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.layer.TlsException;
import dev.peregrine.server.tls.layer.TlsScratch;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.server.tls.layer.TlsSettings;
import dev.peregrine.tls.TlsInfo;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A session of an {@link SSLEngine}. The engine works on arrays of the loop, record by record. With
 * direct buffers, the JDK's ciphers would copy 512 bytes at a time through new arrays.
 */
final class JdkSession implements TlsSession {
  private static final int HEADER_BYTES = 5;
  private static final int RECORD_CONTENT_MAX = 16 * 1024 + 2048; // RFC 5246 section 6.2.3
  private static final int ALERT = 21;
  private static final int ALERT_BYTES = 2;
  private static final int HANDSHAKE = 22;

  /** Records in a row without content that a client may send after the handshake; arbitrary. */
  private static final int EMPTY_RECORDS_MAX = 32;

  private static final byte[] NOTHING = {};

  private final SSLEngine engine;
  private final TlsScratch scratch;
  private final boolean isQuick;
  private final long openedMillis = System.currentTimeMillis();
  private boolean handshaking = true;
  private boolean awaitsTask; // the loop must fetch the task, or it runs
  private boolean inputEnded;
  private boolean renegotiable; // TLS 1.2, after the handshake
  private int emptyRecords;
  private byte[] held = NOTHING; // content that didn't fit
  private int heldFrom;

  /**
   * Creates a session in server mode.
   *
   * @param isQuick whether the handshake may be computed on the loop's thread
   */
  JdkSession(SSLEngine engine, TlsScratch scratch, boolean isQuick) {
    this.engine = engine;
    this.scratch = scratch;
    this.isQuick = isQuick;
  }

  @Override
  public boolean unwrap(ByteBuffer records, ByteBuffer content) throws TlsException {
    awaitsTask = engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
    while (passOn(content)) {
      if (inputEnded || awaitsTask || hasOutput()) {
        return false;
      }
      int length = completeRecord(records);
      if (length == 0) {
        return false;
      }
      if (!handshaking && !content.hasRemaining()) {
        return true;
      }
      unwrapOne(records, length, content);
    }
    return true;
  }

  /** Passes held content on. Returns false if it didn't all fit. */
  private boolean passOn(ByteBuffer content) {
    int count = Math.min(held.length - heldFrom, content.remaining());
    if (count > 0) {
      content.put(held, heldFrom, count);
      heldFrom += count;
    }
    if (heldFrom < held.length) {
      return false;
    }
    held = NOTHING;
    heldFrom = 0;
    return true;
  }

  /**
   * Returns the length of the next record if all of it has arrived, otherwise 0. For a record that
   * declares an illegal length, the header is enough for the engine to reject it.
   */
  private static int completeRecord(ByteBuffer records) {
    if (records.remaining() < HEADER_BYTES) {
      return 0;
    }
    int claimed = Short.toUnsignedInt(records.getShort(records.position() + HEADER_BYTES - 2));
    if (claimed > RECORD_CONTENT_MAX) {
      return HEADER_BYTES;
    }
    return records.remaining() < HEADER_BYTES + claimed ? 0 : HEADER_BYTES + claimed;
  }

  private void unwrapOne(ByteBuffer records, int length, ByteBuffer content) throws TlsException {
    int start = records.position();
    if (renegotiable && records.get(start) == HANDSHAKE) {
      throw new TlsException(
          HandshakeFailure.PROTOCOL_VIOLATION, "the client wants to renegotiate");
    }
    ByteBuffer source = scratch.records();
    source.put(0, records, start, length);
    ByteBuffer plain = scratch.content();
    SSLEngineResult result;
    try {
      result = engine.unwrap(source.limit(length), plain);
    } catch (SSLException failure) {
      throw isPlainAlert(records, length)
          ? JdkFailures.ofAlert(records.get(start + HEADER_BYTES + 1))
          : JdkFailures.of(failure);
    }
    records.position(start + result.bytesConsumed());
    inputEnded |= engine.isInboundDone();
    after(result);
    int count = plain.flip().remaining();
    countEmpty(count);
    int fits = Math.min(count, content.remaining());
    content.put(plain.slice(0, fits));
    if (fits < count) {
      held = new byte[count - fits];
      plain.get(fits, held);
    }
    if (result.bytesConsumed() == 0 && !inputEnded && !awaitsTask && !hasOutput()) {
      throw new TlsException(HandshakeFailure.INTERNAL, "the engine doesn't take " + result);
    }
  }

  /**
   * Returns true for an alert without encryption. A client with OpenSSL that doesn't trust the
   * certificate sends one in TLS 1.3, where this engine expects encryption and fails.
   */
  private boolean isPlainAlert(ByteBuffer records, int length) {
    return handshaking
        && length == HEADER_BYTES + ALERT_BYTES
        && records.get(records.position()) == ALERT;
  }

  private void countEmpty(int contentBytes) throws TlsException {
    emptyRecords = handshaking || contentBytes > 0 ? 0 : emptyRecords + 1;
    if (emptyRecords > EMPTY_RECORDS_MAX) {
      throw new TlsException(
          HandshakeFailure.PROTOCOL_VIOLATION,
          "the client sent more than " + EMPTY_RECORDS_MAX + " records in a row without content");
    }
  }

  private void after(SSLEngineResult result) throws TlsException {
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      if (isQuick) {
        runTasks();
      } else {
        awaitsTask = true;
      }
    } else if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      handshaking = false;
      renegotiable = engine.getSession().getProtocol().equals(TlsSettings.TLS_1_2);
    }
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      throw new TlsException(HandshakeFailure.INTERNAL, "a record is larger than the buffers");
    }
  }

  private void runTasks() {
    for (Runnable one = engine.getDelegatedTask(); one != null; one = engine.getDelegatedTask()) {
      one.run();
    }
  }

  @Override
  public void wrap(ByteBuffer content, ByteBuffer records) throws TlsException {
    ByteBuffer made = scratch.records();
    int limit = content.limit();
    content.limit(content.position() + Math.min(content.remaining(), CONTENT_BYTES_MAX));
    SSLEngineResult result;
    try {
      result = content.hasArray() ? engine.wrap(content, made) : wrapCopy(content, made);
    } catch (SSLException failure) {
      throw JdkFailures.of(failure);
    } finally {
      content.limit(limit);
    }
    records.put(made.flip());
    after(result);
    if (made.limit() == 0) {
      throw new TlsException(HandshakeFailure.INTERNAL, "the engine makes no record: " + result);
    }
  }

  private SSLEngineResult wrapCopy(ByteBuffer content, ByteBuffer made) throws SSLException {
    ByteBuffer source = scratch.content();
    int count = content.remaining();
    source.put(0, content, content.position(), count);
    SSLEngineResult result = engine.wrap(source.limit(count), made);
    content.position(content.position() + result.bytesConsumed());
    return result;
  }

  @Override
  public boolean takesArrays() {
    return true;
  }

  @Override
  public boolean isHandshaking() {
    return handshaking;
  }

  @Override
  public boolean hasOutput() {
    return engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone();
  }

  @Override
  public boolean isInputEnded() {
    return inputEnded && held.length == 0;
  }

  @Override
  public @Nullable Runnable task() {
    if (!awaitsTask) {
      return null;
    }
    awaitsTask = false;
    return this::runTasks;
  }

  @Override
  public void endOutput() {
    engine.closeOutbound();
  }

  @Override
  public TlsInfo info(@Nullable String serverName) {
    return JdkInfo.of(engine, serverName, openedMillis);
  }

  @Override
  public void free() {
    held = NOTHING;
  }
}
