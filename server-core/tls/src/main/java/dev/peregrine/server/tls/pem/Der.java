package dev.peregrine.server.tls.pem;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** The part of DER (X.690) that keys, certificates and OCSP responses need. */
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTETS = 0x04;
  static final int SEQUENCE = 0x30;
  static final int CONTEXT_0 = 0xA0;

  private static final byte[] VERSION_0 = {INTEGER, 1, 0};

  /** AlgorithmIdentifier of rsaEncryption, with NULL as parameters. */
  private static final byte[] RSA = {
    SEQUENCE, 13, 6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1, 5, 0
  };

  /** Object identifier of id-ecPublicKey. */
  private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

  private Der() {}

  /** Returns the PKCS#8 form of an RSA key of PKCS#1 (RFC 8017 appendix A.1.2). */
  static byte[] rsaKey(byte[] pkcs1) {
    return value(SEQUENCE, VERSION_0, RSA, value(OCTETS, pkcs1));
  }

  /**
   * Returns the PKCS#8 form of an EC key of SEC 1 (RFC 5915).
   *
   * @throws IllegalArgumentException if it doesn't name its curve
   */
  static byte[] ecKey(byte[] sec1) {
    try {
      ByteBuffer fields = content(ByteBuffer.wrap(sec1), SEQUENCE);
      content(fields, INTEGER);
      content(fields, OCTETS);
      ByteBuffer curve = content(fields, CONTEXT_0);
      return value(SEQUENCE, VERSION_0, value(SEQUENCE, EC, bytes(curve)), value(OCTETS, sec1));
    } catch (BufferUnderflowException malformed) {
      throw new IllegalArgumentException("an EC key that doesn't name its curve", malformed);
    }
  }

  /**
   * Returns the content of the next value, which must have that tag, and moves the position after
   * it.
   */
  static ByteBuffer content(ByteBuffer source, int tag) {
    if (tag(source) != tag) {
      throw new IllegalArgumentException("another tag than " + tag);
    }
    return next(source);
  }

  /** Returns the tag of the next value. */
  static int tag(ByteBuffer source) {
    if (!source.hasRemaining()) {
      throw new BufferUnderflowException();
    }
    return Byte.toUnsignedInt(source.get(source.position()));
  }

  /** Moves the position after the next value. */
  static void skip(ByteBuffer source) {
    ByteBuffer ignored = next(source);
  }

  /** Returns the remaining bytes. */
  static byte[] bytes(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  private static ByteBuffer next(ByteBuffer source) {
    source.get(); // the tag
    int length = Byte.toUnsignedInt(source.get());
    if (length >= 0x80) {
      int bytes = length & 0x7F;
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = (length << 8) | Byte.toUnsignedInt(source.get());
      }
    }
    if (length < 0 || length > source.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer content = source.slice(source.position(), length);
    source.position(source.position() + length);
    return content;
  }

  /** Returns a value with that tag and the concatenated parts as content. */
  static byte[] value(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    if (length < 0x80) {
      value.write(length);
    } else {
      int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
      value.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        value.write(length >>> (8 * i));
      }
    }
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }
}
