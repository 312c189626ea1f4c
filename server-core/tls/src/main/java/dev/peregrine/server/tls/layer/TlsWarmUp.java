package dev.peregrine.server.tls.layer;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/**
 * A handshake in memory, up to the server's answer to a ClientHello. The first handshake of the JDK
 * loads and links hundreds of classes, which takes longer than a hundred later ones, and an event
 * loop should not spend that time on a client. It runs on a thread of its own when a context is
 * first used. Its failure has no effect.
 */
final class TlsWarmUp {
  private static final int STEPS_MAX = 100;

  private TlsWarmUp() {}

  /** Starts a warm-up with a context, if it needs one. */
  static void start(TlsContext context) {
    if (!context.needsWarmUp() || !context.acquire()) {
      return;
    }
    try {
      Thread.ofPlatform().daemon().name("tls-warm-up").start(() -> run(context));
    } catch (Throwable notStarted) {
      context.release();
    }
  }

  /** Answers a ClientHello with a context, and releases the context. */
  static void run(TlsContext context) {
    try {
      TlsSession session = context.open(0, null, new TlsScratch());
      try {
        answer(session);
      } finally {
        session.free();
      }
    } catch (Throwable failure) {
      Log.add(Level.DEBUG, "TLS was not warmed up", failure);
    } finally {
      context.release();
    }
  }

  private static void answer(TlsSession session) throws TlsException {
    ByteBuffer records = hello();
    ByteBuffer nothing = ByteBuffer.allocateDirect(0);
    ByteBuffer answer = ByteBuffer.allocateDirect(TlsSession.RECORD_BYTES_MAX);
    boolean idle = false;
    for (int i = 0; i < STEPS_MAX && !idle; i++) {
      Runnable task = session.task();
      if (session.hasOutput()) {
        session.wrap(nothing, answer.clear());
      } else if (task != null) {
        task.run();
      } else {
        int before = records.position();
        boolean ignored = session.unwrap(records, nothing);
        idle = records.position() == before && !session.hasOutput();
      }
    }
  }

  /** Returns a ClientHello of TLS 1.3 and 1.2 (RFC 8446 section 4.1.2) in a record. */
  private static ByteBuffer hello() {
    short[] suites = {0x1301, 0x1302, 0x1303, (short) 0xC02B, (short) 0xC02F, (short) 0xC02C};
    short[] signatures = {0x0403, 0x0804, 0x0503, 0x0805, 0x0807, 0x0401, 0x0501, 0x0806};
    ByteBuffer hello = ByteBuffer.allocateDirect(512);
    hello.put((byte) 22).putShort((short) 0x0301).putShort((short) 0);
    int message = hello.position();
    hello.putInt(0x01000000).putShort((short) 0x0303).put(new byte[32]).put((byte) 0);
    list(hello, suites);
    hello.putShort((short) 0x0100); // no compression
    int extensions = hello.position();
    hello.putShort((short) 0);
    hello.putInt(43 << 16 | 5).put((byte) 4).putInt(0x03040303); // versions
    hello.putInt(10 << 16 | 6).putShort((short) 4).putInt(0x001D0017); // x25519, secp256r1
    hello.putInt(11 << 16 | 2).putShort((short) 0x0100); // point formats
    hello.putShort((short) 13).putShort((short) (2 + 2 * signatures.length));
    list(hello, signatures);
    hello.putInt(45 << 16 | 2).putShort((short) 0x0101); // tickets with (EC)DHE
    hello.putInt(51 << 16 | 38).putShort((short) 36).putInt(0x001D0020);
    hello.put((byte) 9).put(new byte[31]); // a public key of X25519: its base point
    int end = hello.position();
    hello.putShort(extensions, (short) (end - extensions - 2));
    hello.putShort(message + 2, (short) (end - message - 4));
    hello.putShort(message - 2, (short) (end - message));
    return hello.flip();
  }

  private static void list(ByteBuffer target, short... numbers) {
    target.putShort((short) (2 * numbers.length));
    for (short number : numbers) {
      target.putShort(number);
    }
  }
}
