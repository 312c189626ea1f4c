package dev.peregrine.server.tls.openssl;

import dev.peregrine.openssl.OpenSslContext;
import dev.peregrine.openssl.OpenSslFailure;
import dev.peregrine.openssl.OpenSslSession;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.layer.TlsException;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.tls.TlsInfo;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session of OpenSSL. It gets one complete record at a time, so that it never holds a part of
 * one, and so that records without content can be counted. With a slow key, the steps of the
 * handshake are tasks for another thread, and work in memory of their own.
 */
final class OpenSslTlsSession implements TlsSession {
  static final int HEADER_BYTES = 5;
  private static final int LENGTH_OFFSET = 3;
  private static final int HANDSHAKE = 22;
  private static final int RECORD_CONTENT_MAX = 16 * 1024 + 2048; // RFC 5246 section 6.2.3

  /** Records in a row without content that a client may send after the handshake; arbitrary. */
  private static final int EMPTY_RECORDS_MAX = 32;

  /** The largest record that is passed on, with its header. */
  static final int RECORD_MAX = HEADER_BYTES + RECORD_CONTENT_MAX;

  private final OpenSslSession session;
  private final LoopBuffers loop;
  private @Nullable HandshakeBuffers aside; // until the end of a handshake with a slow key
  private @Nullable Runnable task; // the next step of such a handshake
  private boolean stepFailed;
  private boolean handshaking = true;
  private boolean holdsContent; // possibly: the room was used up
  private boolean inputEnded;
  private int emptyRecords;

  private OpenSslTlsSession(
      OpenSslSession session, LoopBuffers loop, @Nullable HandshakeBuffers aside) {
    this.session = session;
    this.loop = loop;
    this.aside = aside;
  }

  /** Opens a session whose handshake runs on the loop. */
  static OpenSslTlsSession open(OpenSslContext context, LoopBuffers loop) {
    return new OpenSslTlsSession(context.newSession(loop.shared), loop, null);
  }

  /** Opens a session whose handshake runs on other threads, because a signature takes long. */
  static OpenSslTlsSession openAside(OpenSslContext context, LoopBuffers loop) {
    HandshakeBuffers own = loop.take();
    return new OpenSslTlsSession(context.newSession(own.records), loop, own);
  }

  /** Sets the scope of the session before its handshake. */
  void scope(byte[] scope) {
    session.scope(scope);
  }

  @Override
  public boolean unwrap(ByteBuffer records, ByteBuffer content) throws TlsException {
    if (stepFailed) {
      throw failure();
    }
    endAside();
    while (!inputEnded && task == null && !session.hasOutput()) {
      HandshakeBuffers own = aside;
      ByteBuffer source = own != null && own.received.hasRemaining() ? own.received : records;
      int length = holdsContent ? 0 : completeRecord(source);
      if (length == 0 && !holdsContent) {
        return false;
      }
      if (handshaking) {
        continueHandshake(source, length);
      } else if (content.hasRemaining()) {
        read(source, length, content);
      } else {
        return true;
      }
    }
    return holdsContent;
  }

  /**
   * Returns the length of the next record if all of it has arrived, otherwise 0. For a record that
   * declares an illegal length, the header is enough for OpenSSL to reject it.
   */
  static int completeRecord(ByteBuffer records) {
    if (records.remaining() < HEADER_BYTES) {
      return 0;
    }
    int claimed = Short.toUnsignedInt(records.getShort(records.position() + LENGTH_OFFSET));
    if (claimed > RECORD_CONTENT_MAX) {
      return HEADER_BYTES;
    }
    return records.remaining() < HEADER_BYTES + claimed ? 0 : HEADER_BYTES + claimed;
  }

  private void continueHandshake(ByteBuffer records, int length) throws TlsException {
    HandshakeBuffers own = aside;
    if (own != null) {
      if (!own.received.hasRemaining()) {
        own.receive(records);
      }
      own.records.handOver();
      task = () -> step(own);
      return;
    }
    session.offer(address(records), length);
    int result = session.handshake();
    consume(records, length);
    if (result == OpenSslSession.FAILED) {
      throw failure();
    }
    handshaking = result != OpenSslSession.DONE;
  }

  /** Continues the handshake on another thread, while the loop doesn't use the session. */
  private void step(HandshakeBuffers own) {
    ByteBuffer in = own.received;
    int bytes = in.remaining();
    session.offer(address(in), bytes);
    int result = session.handshake();
    in.position(in.limit() - session.unread()); // content may follow the last step
    own.records.handOver();
    if (in.remaining() == bytes && result == OpenSslSession.WANTS_INPUT) {
      throw new IllegalStateException("OpenSSL doesn't take a record");
    }
    stepFailed = result == OpenSslSession.FAILED;
    handshaking = result != OpenSslSession.DONE;
  }

  /** Returns to the loop's memory once the handshake is complete and its records are taken. */
  private void endAside() {
    HandshakeBuffers own = aside;
    if (own != null && !handshaking && !own.received.hasRemaining() && !session.hasOutput()) {
      aside = null;
      session.moveTo(loop.shared);
      loop.give(own);
    }
  }

  private void read(ByteBuffer records, int length, ByteBuffer content) throws TlsException {
    boolean renegotiates = // never in TLS 1.3, whose handshake records look like content
        length > 0 && records.get(records.position()) == HANDSHAKE;
    int room = content.remaining();
    session.offer(address(records), length);
    int count = session.read(address(content), room);
    consume(records, length);
    if (renegotiates) { // OpenSSL has declined it by an alert and would continue
      throw new TlsException(
          HandshakeFailure.PROTOCOL_VIOLATION, "the client wants to renegotiate");
    }
    if (count > 0) {
      content.position(content.position() + count);
      emptyRecords = 0;
    } else if (count == OpenSslSession.ENDED) {
      inputEnded = true;
    } else if (count == OpenSslSession.FAILED) {
      throw failure();
    } else if (length > 0 && ++emptyRecords > EMPTY_RECORDS_MAX) {
      throw new TlsException(
          HandshakeFailure.PROTOCOL_VIOLATION,
          "the client sent more than " + EMPTY_RECORDS_MAX + " records in a row without content");
    }
    holdsContent = count == room;
  }

  private void consume(ByteBuffer records, int length) throws TlsException {
    int consumed = length - session.unread();
    records.position(records.position() + consumed);
    if (consumed == 0 && length > 0 && session.failure() == null) {
      throw new TlsException(HandshakeFailure.INTERNAL, "OpenSSL doesn't take a record");
    }
  }

  private static long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer).address();
  }

  private TlsException failure() {
    OpenSslFailure failure = Objects.requireNonNull(session.failure());
    HandshakeFailure reason =
        switch (failure.kind()) {
          case PROTOCOL_VIOLATION -> HandshakeFailure.PROTOCOL_VIOLATION;
          case NOTHING_IN_COMMON -> HandshakeFailure.NOTHING_IN_COMMON;
          case NO_APPLICATION_PROTOCOL -> HandshakeFailure.NO_APPLICATION_PROTOCOL;
          case PEER_CERTIFICATE -> HandshakeFailure.CLIENT_CERTIFICATE;
          case PEER_ALERT -> HandshakeFailure.CLIENT_ALERT;
          case INTERNAL -> HandshakeFailure.INTERNAL;
        };
    return new TlsException(reason, failure.text());
  }

  @Override
  public void wrap(ByteBuffer content, ByteBuffer records) throws TlsException {
    if (!session.hasOutput()) {
      endAside();
      int offered = Math.min(content.remaining(), CONTENT_BYTES_MAX);
      int count = session.write(address(content), offered);
      if (count < 0) {
        throw failure();
      }
      content.position(content.position() + count);
    }
    session.takeOutput(records);
  }

  @Override
  public boolean isHandshaking() {
    return handshaking;
  }

  @Override
  public boolean hasOutput() {
    return session.hasOutput();
  }

  @Override
  public boolean isInputEnded() {
    return inputEnded;
  }

  @Override
  public @Nullable Runnable task() {
    Runnable next = task;
    task = null;
    return next;
  }

  @Override
  public void endOutput() {
    session.endOutput();
  }

  @Override
  public TlsInfo info(@Nullable String serverName) {
    return OpenSslTlsInfo.of(session, serverName);
  }

  @Override
  public void free() {
    session.close();
    HandshakeBuffers own = aside;
    if (own != null) {
      aside = null;
      loop.give(own);
    }
  }
}
