package dev.peregrine.server.proxy;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.server.transport.StreamSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Version 2 of the header: a block of bytes (section 2.2 of the specification). */
final class HeaderBlock {
  /** The beginning of every block; its length follows at the end of {@link #FIXED_BYTES}. */
  static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

  /** The bytes before the addresses. */
  static final int FIXED_BYTES = 16;

  private static final int COMMAND_AT = 12;
  private static final int FAMILY_AT = 13;
  private static final int LENGTH_AT = 14;
  private static final int VERSION_2 = 0x20;
  private static final int LOCAL = 0;
  private static final int PROXY = 1;
  private static final int UNSPECIFIED = 0;
  private static final int TRANSPORT_MAX = 2; // DGRAM
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int UNIX_PATH_BYTES = 108;
  private static final int CHECKSUM = 0x03;
  private static final int CHECKSUM_BYTES = 4;
  private static final int UNIQUE_ID_BYTES_MAX = 128;
  private static final int AUTHORITY_BYTES_MAX = 255; // of a host name
  private static final int VALUE_HEAD_BYTES = 3; // type and length

  private HeaderBlock() {}

  /** Returns the length of the block that begins with the given {@link #FIXED_BYTES}. */
  static int length(byte[] bytes) throws ProxyHeaderException {
    int command = bytes[COMMAND_AT] & 0xFF;
    if (command != (VERSION_2 | LOCAL) && command != (VERSION_2 | PROXY)) {
      throw new ProxyHeaderException("version or command is unknown: 0x%02X".formatted(command));
    }
    return FIXED_BYTES + unsigned16(bytes, LENGTH_AT);
  }

  /**
   * Decodes a complete block.
   *
   * @param bytes the block at the beginning
   * @param length the length of the block
   */
  static ProxyHeader decode(byte[] bytes, int length) throws ProxyHeaderException {
    if ((bytes[COMMAND_AT] & 0xFF) == (VERSION_2 | LOCAL)) {
      return ProxyHeader.LOCAL;
    }
    int family = (bytes[FAMILY_AT] >> 4) & 0xF;
    int transport = bytes[FAMILY_AT] & 0xF;
    int addressBytes =
        switch (family) {
          case 0 -> UNSPECIFIED;
          case 1 -> 2 * (IPV4_BYTES + Short.BYTES);
          case 2 -> 2 * (IPV6_BYTES + Short.BYTES);
          case 3 -> 2 * UNIX_PATH_BYTES;
          default -> throw new ProxyHeaderException("the address family is unknown: " + family);
        };
    if (transport > TRANSPORT_MAX) {
      throw new ProxyHeaderException("the transport protocol is unknown: " + transport);
    }
    if (family == UNSPECIFIED) {
      return ProxyHeader.UNKNOWN; // the size of the addresses is unknown
    }
    int valuesAt = FIXED_BYTES + addressBytes;
    if (length < valuesAt) {
      throw new ProxyHeaderException("the block is too short for its addresses");
    }
    ProxyInfo info = values(bytes, valuesAt, length);
    if (transport == UNSPECIFIED) {
      return new ProxyHeader(null, null, info);
    }
    ByteBuffer block = ByteBuffer.wrap(bytes).position(FIXED_BYTES);
    return switch (family) {
      case 1 -> inet(block, IPV4_BYTES, info);
      case 2 -> inet(block, IPV6_BYTES, info);
      default -> new ProxyHeader(unix(block), unix(block), info);
    };
  }

  private static ProxyHeader inet(ByteBuffer block, int bytes, ProxyInfo info) {
    InetAddress remote = address(block, bytes);
    InetAddress local = address(block, bytes);
    int remotePort = block.getShort() & 0xFFFF;
    int localPort = block.getShort() & 0xFFFF;
    return new ProxyHeader(
        new InetSocketAddress(remote, remotePort), new InetSocketAddress(local, localPort), info);
  }

  private static InetAddress address(ByteBuffer block, int bytes) {
    byte[] address = new byte[bytes];
    block.get(address);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Reads a path, which ends at its first zero byte. A socket without a path is unnamed. */
  private static SocketAddress unix(ByteBuffer block) {
    byte[] path = new byte[UNIX_PATH_BYTES];
    block.get(path);
    int length = 0;
    while (length < path.length && path[length] != 0) {
      length++;
    }
    try {
      return UnixDomainSocketAddress.of(new String(path, 0, length, StandardCharsets.UTF_8));
    } catch (InvalidPathException foreign) {
      return StreamSocket.UNNAMED; // not a path of this system
    }
  }

  // ---- values with their types ----

  private static ProxyInfo values(byte[] bytes, int from, int to) throws ProxyHeaderException {
    int checksumAt = -1;
    for (int at = from; at + VALUE_HEAD_BYTES <= to; ) {
      int type = bytes[at] & 0xFF;
      int length = unsigned16(bytes, at + 1);
      at += VALUE_HEAD_BYTES;
      if (type == CHECKSUM && (length != CHECKSUM_BYTES || at + length > to || checksumAt >= 0)) {
        throw new ProxyHeaderException("the checksum isn't one value of 4 bytes");
      }
      if (length > bytesMax(type)) {
        throw new ProxyHeaderException(
            "the value of type 0x%02X has %d bytes; the limit is %d"
                .formatted(type, length, bytesMax(type)));
      }
      checksumAt = type == CHECKSUM ? at : checksumAt;
      at += length;
    }
    if (checksumAt >= 0 && !isChecksumRight(bytes, to, checksumAt)) {
      throw new ProxyHeaderException("the checksum is wrong");
    }
    try {
      return new ProxyInfo(false, Arrays.copyOfRange(bytes, from, to));
    } catch (IllegalArgumentException malformed) {
      throw new ProxyHeaderException("the list of values is malformed: " + malformed.getMessage());
    }
  }

  private static int bytesMax(int type) {
    return switch (type) {
      case ProxyInfo.UNIQUE_ID -> UNIQUE_ID_BYTES_MAX;
      case ProxyInfo.AUTHORITY -> AUTHORITY_BYTES_MAX;
      default -> 0xFFFF;
    };
  }

  /** Computes the checksum of the block with zeros in place of the checksum. */
  private static boolean isChecksumRight(byte[] bytes, int length, int checksumAt) {
    CRC32C computed = new CRC32C();
    computed.update(bytes, 0, checksumAt);
    computed.update(new byte[CHECKSUM_BYTES]);
    int rest = checksumAt + CHECKSUM_BYTES;
    computed.update(bytes, rest, length - rest);
    return (int) computed.getValue() == ByteBuffer.wrap(bytes).getInt(checksumAt);
  }

  private static int unsigned16(byte[] bytes, int at) {
    return ((bytes[at] & 0xFF) << Byte.SIZE) | (bytes[at + 1] & 0xFF);
  }
}
