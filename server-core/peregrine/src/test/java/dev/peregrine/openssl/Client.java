package dev.peregrine.openssl;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A client in memory, by the JDK. */
public final class Client {
  final SSLEngine engine;
  final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final ByteBuffer plain = ByteBuffer.allocate(64 * 1024);
  private final ByteBuffer cipher = ByteBuffer.allocate(64 * 1024);
  private byte[] unread = {};

  private Client(SSLEngine engine) {
    this.engine = engine;
  }

  /** Returns the JDK's context, which keeps sessions to be resumed. */
  static SSLContext context(Identity trusted, @Nullable Identity own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      KeyManager[] present = own == null ? null : own.present();
      context.init(present, trusted.trust(), null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Creates a client that has not sent its ClientHello yet. */
  public static Client create(SSLContext context, String version, String... protocols) {
    SSLEngine engine = context.createSSLEngine("localhost", 443);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {version});
    parameters.setApplicationProtocols(protocols);
    parameters.setServerNames(List.of(new javax.net.ssl.SNIHostName("localhost")));
    engine.setSSLParameters(parameters);
    try {
      engine.beginHandshake();
    } catch (SSLException impossible) {
      throw new AssertionError(impossible);
    }
    return new Client(engine);
  }

  /** Returns true if its handshake is complete. */
  public boolean isEstablished() {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
        && !engine.getSession().getCipherSuite().endsWith("_NULL");
  }

  /** Processes bytes of the server, and returns the bytes to send to it. */
  public byte[] exchange(byte[] incoming) throws SSLException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] all = concat(unread, incoming);
    ByteBuffer in = ByteBuffer.wrap(all);
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> wrap(ByteBuffer.allocate(0), out);
        default -> {
          if (!unwrap(in)
              && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
              && engine.getHandshakeStatus() != HandshakeStatus.NEED_TASK) {
            unread = new byte[in.remaining()];
            in.get(unread);
            return out.toByteArray();
          }
        }
      }
    }
  }

  /** Returns true if it made progress. */
  private boolean unwrap(ByteBuffer in) throws SSLException {
    HandshakeStatus before = engine.getHandshakeStatus();
    if (engine.isInboundDone()
        || (!in.hasRemaining() && before == HandshakeStatus.NOT_HANDSHAKING)) {
      return false;
    }
    plain.clear();
    int position = in.position();
    SSLEngineResult result = engine.unwrap(in, plain);
    received.write(plain.array(), 0, plain.position());
    return in.position() != position && result.getStatus() == SSLEngineResult.Status.OK;
  }

  private void wrap(ByteBuffer content, ByteArrayOutputStream out) throws SSLException {
    do {
      cipher.clear();
      SSLEngineResult result = engine.wrap(content, cipher);
      if (result.bytesConsumed() + result.bytesProduced() == 0) {
        throw new IllegalStateException("can't send: " + result);
      }
      out.write(cipher.array(), 0, cipher.position());
    } while (content.hasRemaining());
  }

  /** Returns the records of some content. */
  byte[] send(byte[] content) throws SSLException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    wrap(ByteBuffer.wrap(content), out);
    return out.toByteArray();
  }

  /** Returns the bytes to send after a failure. */
  byte[] output() {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      wrap(ByteBuffer.allocate(0), out);
      return out.toByteArray();
    } catch (SSLException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Returns a fatal alert, about a record that no server has sent. */
  byte[] fatalAlert() {
    byte[] invalid = new byte[5 + 32];
    invalid[0] = 23;
    invalid[1] = 3;
    invalid[2] = 3;
    invalid[4] = 32;
    try {
      exchange(invalid);
      throw new AssertionError("the record was accepted");
    } catch (SSLException rejected) {
      return output();
    }
  }

  /** Returns the record by which TLS 1.3 changes the keys of both sides. */
  byte[] updateKeys() throws SSLException {
    engine.beginHandshake();
    return exchange(new byte[0]);
  }

  /** Returns close_notify. */
  byte[] end() throws SSLException {
    engine.closeOutbound();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (!engine.isOutboundDone()) {
      cipher.clear();
      engine.wrap(ByteBuffer.allocate(0), cipher);
      out.write(cipher.array(), 0, cipher.position());
    }
    return out.toByteArray();
  }

  static byte[] concat(byte[] a, byte[] b) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(a);
    all.writeBytes(b);
    return all.toByteArray();
  }
}
