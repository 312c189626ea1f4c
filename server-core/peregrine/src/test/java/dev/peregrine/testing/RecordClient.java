package dev.peregrine.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A client over TLS that chooses its records, among them a fatal alert. */
public final class RecordClient implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 30_000;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] NOTHING = {};

  private final Socket socket = new Socket();
  private final SSLEngine engine = Certificates.client().createSSLEngine("localhost", 443);
  private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private final ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
  private final ByteBuffer record = ByteBuffer.allocate(BUFFER_BYTES);

  private RecordClient(String version) {
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {version});
  }

  /** Connects to a server, and completes the handshake. */
  public static RecordClient connect(InetSocketAddress server, String version) throws IOException {
    RecordClient client = new RecordClient(version);
    client.socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    client.socket.setTcpNoDelay(true);
    client.socket.connect(server);
    client.engine.beginHandshake();
    client.handshake();
    return client;
  }

  private void handshake() throws IOException {
    while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> wrap(NOTHING);
        default -> unwrap();
      }
    }
  }

  /** Sends a record; the content may be empty. */
  public RecordClient send(byte[] content) throws IOException {
    wrap(content);
    return this;
  }

  /** Sends a record without content that OpenSSL reports like an incomplete one. */
  public RecordClient sendEmpty() throws IOException {
    if (engine.getSession().getProtocol().equals("TLSv1.3")) {
      engine.beginHandshake(); // an update of the keys
      handshake();
      return this;
    }
    return send(NOTHING);
  }

  /** Sends a fatal alert, about a record that no server has sent. */
  public RecordClient sendFatalAlert() throws IOException {
    ByteBuffer invalid = ByteBuffer.allocate(5 + 32).put(0, new byte[] {23, 3, 3, 0, 32});
    try {
      engine.unwrap(invalid, plain.clear());
      throw new AssertionError("the record was accepted");
    } catch (SSLException rejected) {
      wrap(NOTHING);
    }
    return this;
  }

  /** Reads content up to that text, which is the end of what is returned. */
  public String readUntil(String end) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    do {
      content.write(plain.array(), 0, unwrap());
    } while (!content.toString(StandardCharsets.ISO_8859_1).endsWith(end));
    return content.toString(StandardCharsets.ISO_8859_1);
  }

  private void wrap(byte[] content) throws IOException {
    engine.wrap(ByteBuffer.wrap(content), record.clear());
    socket.getOutputStream().write(record.array(), 0, record.position());
  }

  /** Reads one record at most. Returns how many bytes of content it has. */
  private int unwrap() throws IOException {
    SSLEngineResult result = engine.unwrap(received, plain.clear());
    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      received.compact();
      int count =
          socket.getInputStream().read(received.array(), received.position(), received.remaining());
      received.position(received.position() + Math.max(count, 0)).flip();
      if (count < 0) {
        throw new EOFException("the server has ended the connection");
      }
    }
    return plain.position();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
