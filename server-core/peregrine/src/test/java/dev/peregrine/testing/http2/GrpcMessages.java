package dev.peregrine.testing.http2;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The messages of gRPC: each has a byte for its compression and its length before it. */
public final class GrpcMessages {
  /** The bytes before a message. */
  public static final int PREFIX_BYTES = 5;

  private GrpcMessages() {}

  /** Returns a message with its prefix. */
  public static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(PREFIX_BYTES + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** Returns the message of a call that has exactly one. */
  public static byte[] only(byte[] framed) {
    ByteBuffer content = ByteBuffer.wrap(framed);
    if (content.get() != 0 || content.getInt() != content.remaining()) {
      throw new AssertionError("not one message that isn't compressed");
    }
    byte[] message = new byte[content.remaining()];
    content.get(message);
    return message;
  }

  /** Reads the next message; null at the end. */
  public static byte @Nullable [] read(InputStream content) throws IOException {
    int compressed = content.read();
    if (compressed < 0) {
      return null;
    }
    byte[] message = new byte[new DataInputStream(content).readInt()];
    if (compressed != 0 || content.readNBytes(message, 0, message.length) < message.length) {
      throw new EOFException("the content ends within a message");
    }
    return message;
  }
}
