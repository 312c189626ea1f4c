package dev.peregrine.openssl;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/** A server in memory, by OpenSSL. */
final class Server implements AutoCloseable {
  static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

  final OpenSslSession session;
  final ByteArrayOutputStream received = new ByteArrayOutputStream();
  boolean established;
  boolean ended;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment memory = arena.allocate(256 * 1024);
  private final ByteBuffer out = ByteBuffer.allocateDirect(32 * 1024);

  Server(OpenSslContext context, RecordBuffers buffers) {
    session = context.newSession(buffers);
  }

  /** Returns a builder that is complete except for the options of a test. */
  static ContextBuilder builder(Identity identity) throws OpenSslException {
    return new ContextBuilder()
        .versions(ContextBuilder.TLS_1_2, ContextBuilder.TLS_1_3)
        .suites(SUITES)
        .groups(List.of("x25519", "secp256r1", "secp384r1"), false)
        .sessionScope(new byte[] {1})
        .credential(List.of(identity.der()), identity.key());
  }

  static OpenSslContext context(Identity identity) throws OpenSslException {
    return context(identity, new TicketKeys());
  }

  static OpenSslContext context(Identity identity, TicketKeys keys) throws OpenSslException {
    try (ContextBuilder builder = builder(identity)) {
      return builder.build(keys);
    }
  }

  boolean hasFailed() {
    return session.failure() != null;
  }

  /** Processes bytes of the client, and returns the bytes to send to it. */
  byte[] exchange(byte[] incoming) {
    feed(incoming);
    return output();
  }

  /** Processes bytes of the client. */
  void feed(byte[] incoming) {
    MemorySegment.copy(incoming, 0, memory, ValueLayout.JAVA_BYTE, 0, incoming.length);
    int left = incoming.length;
    boolean continues;
    do {
      session.offer(memory.address() + incoming.length - left, left);
      continues = step();
      left = session.unread();
    } while (continues);
  }

  /** Returns true if the session may continue without more bytes. */
  private boolean step() {
    if (!established) {
      int result = session.handshake();
      established = result == OpenSslSession.DONE;
      return established;
    }
    MemorySegment target = memory.asSlice(128 * 1024);
    int result = session.read(target.address(), 64 * 1024);
    if (result > 0) {
      received.writeBytes(target.asSlice(0, result).toArray(ValueLayout.JAVA_BYTE));
    }
    ended |= result == OpenSslSession.ENDED;
    return result > 0;
  }

  /** Returns the records of some content. */
  byte[] send(byte[] content) {
    MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
    int written = session.write(memory.address(), content.length);
    if (written != content.length) {
      throw new IllegalStateException("wrote " + written + ": " + session.failure());
    }
    return output();
  }

  /** Returns close_notify. */
  byte[] end() {
    session.endOutput();
    return output();
  }

  byte[] output() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (session.hasOutput()) {
      session.takeOutput(out.clear());
      byte[] some = new byte[out.flip().remaining()];
      out.get(some);
      all.writeBytes(some);
    }
    return all.toByteArray();
  }

  @Override
  public void close() {
    session.close();
    arena.close();
  }
}
