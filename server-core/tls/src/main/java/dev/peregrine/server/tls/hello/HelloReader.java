package dev.peregrine.server.tls.hello;

import dev.peregrine.server.observe.HandshakeFailure;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ClientHello of one connection (RFC 8446 section 4.1.2) from its records, without
 * consuming them. It reads only the parts that the server needs, and leaves all other checks to the
 * engine.
 */
public final class HelloReader {
  /** The largest ClientHello, and the most bytes of its records. */
  static final int BYTES_MAX = 64 * 1024;

  private static final int RECORD_HEADER_BYTES = 5;
  private static final int MESSAGE_HEADER_BYTES = 4;
  private static final int FRAGMENT_BYTES_MAX = 16 * 1024;
  private static final int HANDSHAKE = 22; // type of record
  private static final int CLIENT_HELLO = 1; // type of message
  private static final int MAJOR_VERSION = 3;
  private static final int RANDOM_BYTES = 32;
  private static final int NAME_BYTES_MAX = 255;
  private static final int LABEL_BYTES_MAX = 63;
  private static final int SERVER_NAME = 0; // types of extensions
  private static final int APPLICATION_PROTOCOLS = 16;
  private static final int SUPPORTED_VERSIONS = 43;
  private static final int HOST_NAME = 0;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  // The message can't be complete before this many bytes have arrived. So a message that arrives
  // byte by byte is scanned only a few times.
  private int bytesNeeded = RECORD_HEADER_BYTES + MESSAGE_HEADER_BYTES;

  private boolean hasBegun;
  private int bytesChecked; // of records whose header is that of a handshake
  private @Nullable String serverName;
  private final List<String> versions = new ArrayList<>();
  private final List<String> protocols = new ArrayList<>();

  /**
   * Reads the ClientHello from the received bytes, from the position on. Doesn't change the buffer.
   *
   * @return null as long as it isn't complete
   * @throws HelloException if the bytes aren't a ClientHello, or if it is too large
   */
  public @Nullable ClientHello read(ByteBuffer records) throws HelloException {
    if (!records.hasRemaining()) {
      return null;
    }
    hasBegun = true;
    checkFirst(records.get(records.position()));
    ByteBuffer message = records.remaining() < bytesNeeded ? null : message(records);
    if (message != null) {
      return parse(message);
    }
    checkHeaders(records);
    if (records.remaining() >= BYTES_MAX) {
      throw HelloException.invalid(
          HelloException.ILLEGAL_PARAMETER, "no complete ClientHello in " + BYTES_MAX + " bytes");
    }
    return null;
  }

  /** Returns true once a byte of the client has been read. */
  public boolean hasBegun() {
    return hasBegun;
  }

  private static void checkFirst(byte first) throws HelloException {
    if (first >= 'A' && first <= 'Z') {
      throw new HelloException(
          HandshakeFailure.PLAIN_HTTP, HelloException.NO_ALERT, "the first byte is a letter");
    }
    if (first != HANDSHAKE) {
      throw new HelloException(
          HandshakeFailure.NOT_TLS,
          HelloException.NO_ALERT,
          "the first byte is " + Byte.toUnsignedInt(first));
    }
  }

  /** Rejects another record within the message at once, before the message could be complete. */
  private void checkHeaders(ByteBuffer records) throws HelloException {
    while (records.remaining() - bytesChecked >= RECORD_HEADER_BYTES) {
      int length = fragmentLength(records, records.position() + bytesChecked);
      bytesChecked += RECORD_HEADER_BYTES + length;
    }
  }

  /** Returns the body of the first message, or null as long as it isn't complete. */
  private @Nullable ByteBuffer message(ByteBuffer records) throws HelloException {
    int end = records.limit();
    ByteBuffer message = NOTHING;
    int bytes = MESSAGE_HEADER_BYTES; // its length, as far as it is known
    for (int at = records.position(); end - at >= RECORD_HEADER_BYTES; ) {
      int length = fragmentLength(records, at);
      at += RECORD_HEADER_BYTES;
      message = join(message, records.slice(at, Math.min(length, end - at)), records.remaining());
      at += length;
      bytes = messageLength(message);
      if (message.remaining() >= bytes) {
        return message.slice(MESSAGE_HEADER_BYTES, bytes - MESSAGE_HEADER_BYTES);
      }
    }
    bytesNeeded = records.remaining() + bytes - message.remaining();
    return null;
  }

  private static int fragmentLength(ByteBuffer records, int at) throws HelloException {
    if (records.get(at) != HANDSHAKE || records.get(at + 1) != MAJOR_VERSION) {
      throw HelloException.invalid(
          HelloException.UNEXPECTED_MESSAGE, "another record within the ClientHello");
    }
    int length = Short.toUnsignedInt(records.getShort(at + RECORD_HEADER_BYTES - 2));
    if (length > FRAGMENT_BYTES_MAX) {
      throw HelloException.invalid(
          HelloException.RECORD_OVERFLOW, "a record that claims " + length + " bytes");
    }
    if (length == 0) {
      throw HelloException.invalid(HelloException.DECODE_ERROR, "an empty record");
    }
    return length;
  }

  /** Returns both parts as one; copies only if the message has more than one record. */
  private static ByteBuffer join(ByteBuffer message, ByteBuffer fragment, int bytesMax) {
    if (!message.hasRemaining()) {
      return fragment;
    }
    ByteBuffer joined =
        message.isDirect() || message.capacity() < bytesMax
            ? ByteBuffer.allocate(bytesMax).put(message)
            : message.position(message.limit()).limit(message.capacity());
    return joined.put(fragment).flip();
  }

  /** Returns the length of the message with its header, or that of the header until it is known. */
  private static int messageLength(ByteBuffer message) throws HelloException {
    if (message.hasRemaining() && message.get(0) != CLIENT_HELLO) {
      throw HelloException.invalid(
          HelloException.UNEXPECTED_MESSAGE, "another message than a ClientHello");
    }
    if (message.remaining() < MESSAGE_HEADER_BYTES) {
      return MESSAGE_HEADER_BYTES;
    }
    int bytes = message.getInt(0) & 0xFFFFFF;
    if (bytes > BYTES_MAX) {
      throw HelloException.invalid(
          HelloException.ILLEGAL_PARAMETER, "a ClientHello that claims " + bytes + " bytes");
    }
    return MESSAGE_HEADER_BYTES + bytes;
  }

  private ClientHello parse(ByteBuffer body) throws HelloException {
    try {
      int version = Short.toUnsignedInt(body.getShort());
      skip(body, RANDOM_BYTES);
      skip(body, Byte.toUnsignedInt(body.get())); // the session
      skip(body, Short.toUnsignedInt(body.getShort())); // suites
      skip(body, Byte.toUnsignedInt(body.get())); // compression
      if (body.hasRemaining()) {
        extensions(vector(body, Short.toUnsignedInt(body.getShort())));
      }
      if (versions.isEmpty()) {
        addVersion(version);
      }
      return new ClientHello(serverName, versions, protocols);
    } catch (BufferUnderflowException | IllegalArgumentException malformed) {
      throw HelloException.invalid(HelloException.DECODE_ERROR, "lengths that don't fit");
    }
  }

  private void extensions(ByteBuffer all) throws HelloException {
    while (all.hasRemaining()) {
      int type = Short.toUnsignedInt(all.getShort());
      ByteBuffer one = vector(all, Short.toUnsignedInt(all.getShort()));
      switch (type) {
        case SERVER_NAME -> serverNames(vector(one, Short.toUnsignedInt(one.getShort())));
        case APPLICATION_PROTOCOLS -> protocols(vector(one, Short.toUnsignedInt(one.getShort())));
        case SUPPORTED_VERSIONS -> versions(vector(one, Byte.toUnsignedInt(one.get())));
        default -> {}
      }
    }
  }

  private void serverNames(ByteBuffer names) throws HelloException {
    while (names.hasRemaining()) {
      byte type = names.get();
      ByteBuffer name = vector(names, Short.toUnsignedInt(names.getShort()));
      if (type == HOST_NAME && serverName == null) {
        serverName = hostName(name);
      }
    }
  }

  /** Returns a name in lower case, and without a dot at its end, which some clients send. */
  private static String hostName(ByteBuffer name) throws HelloException {
    int bytes = name.remaining();
    StringBuilder text = new StringBuilder(bytes);
    int label = 0; // bytes since the last dot
    boolean valid = bytes > 0 && bytes <= NAME_BYTES_MAX;
    while (valid && name.hasRemaining()) {
      char octet = (char) Byte.toUnsignedInt(name.get());
      valid = octet == '.' ? label > 0 : isInLabel(octet) && label < LABEL_BYTES_MAX;
      label = octet == '.' ? 0 : label + 1;
      text.append(octet);
    }
    if (!valid) {
      throw HelloException.invalid(
          HelloException.ILLEGAL_PARAMETER, "a host name that isn't valid");
    }
    text.setLength(label == 0 ? bytes - 1 : bytes);
    return text.toString().toLowerCase(Locale.ROOT);
  }

  private static boolean isInLabel(char octet) {
    boolean letter = (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z');
    return letter || (octet >= '0' && octet <= '9') || octet == '-' || octet == '_';
  }

  private void protocols(ByteBuffer names) {
    while (names.hasRemaining()) {
      ByteBuffer name = vector(names, Byte.toUnsignedInt(names.get()));
      StringBuilder text = new StringBuilder(name.remaining());
      while (name.hasRemaining()) {
        char octet = (char) Byte.toUnsignedInt(name.get());
        text.append(octet > ' ' && octet < 0x7F ? octet : '?');
      }
      protocols.add(text.toString());
    }
  }

  private void versions(ByteBuffer numbers) {
    while (numbers.hasRemaining()) {
      addVersion(Short.toUnsignedInt(numbers.getShort()));
    }
  }

  private void addVersion(int number) {
    switch (number) {
      case 0x0304 -> versions.add(ClientHello.TLS_1_3);
      case 0x0303 -> versions.add(ClientHello.TLS_1_2);
      case 0x0302 -> versions.add("TLSv1.1");
      case 0x0301 -> versions.add("TLSv1");
      case 0x0300 -> versions.add("SSLv3");
      default -> {} // unknown, or a GREASE value (RFC 8701)
    }
  }

  /** Returns the next bytes, and moves the position after them. */
  private static ByteBuffer vector(ByteBuffer source, int bytes) {
    ByteBuffer part = source.slice(source.position(), checked(source, bytes));
    skip(source, bytes);
    return part;
  }

  private static void skip(ByteBuffer source, int bytes) {
    source.position(source.position() + checked(source, bytes));
  }

  private static int checked(ByteBuffer source, int bytes) {
    if (bytes > source.remaining()) {
      throw new BufferUnderflowException();
    }
    return bytes;
  }
}
