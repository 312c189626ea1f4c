package dev.peregrine.testing;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Headers of the PROXY protocol, as a proxy sends them. */
public final class ProxyHeaders {
  public static final int LOCAL = 0x20;
  public static final int PROXY = 0x21;
  public static final int TCP_IPV4 = 0x11;
  public static final int TCP_IPV6 = 0x21;
  public static final int UNIX = 0x31;

  /** The address in the headers that don't name one. */
  public static final String CLIENT = "192.0.2.7:4711";

  private static final byte[] SIGNATURE = {
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A
  };
  private static final int CHECKSUM = 0x03;

  private ProxyHeaders() {}

  /** Returns a header of version 1, for {@link #CLIENT}. */
  public static byte[] line() {
    return line("PROXY TCP4 192.0.2.7 198.51.100.1 4711 443");
  }

  /** Returns a line with its end. */
  public static byte[] line(String text) {
    return Requests.bytes(text + "\r\n");
  }

  /** Returns a header of version 2 with values, for {@link #CLIENT}. */
  public static byte[] block(byte[]... values) {
    return block(PROXY, TCP_IPV4, addresses("192.0.2.7", "198.51.100.1"), values);
  }

  /** Returns any header of version 2. */
  public static byte[] block(int command, int family, byte[] addresses, byte[]... values) {
    byte[] rest = Requests.join(addresses, Requests.join(values));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(SIGNATURE);
    out.write(command);
    out.write(family);
    out.write(rest.length >> 8);
    out.write(rest.length);
    out.writeBytes(rest);
    return out.toByteArray();
  }

  /** Returns the addresses with the ports 4711 and 443. */
  public static byte[] addresses(String remote, String local) {
    return Requests.join(
        InetAddress.ofLiteral(remote).getAddress(),
        InetAddress.ofLiteral(local).getAddress(),
        new byte[] {4711 >> 8, (byte) 4711, 443 >> 8, (byte) 443});
  }

  /** Returns the paths of two Unix domain sockets. */
  public static byte[] paths(String remote, String local) {
    ByteBuffer both = ByteBuffer.allocate(216);
    both.put(Requests.bytes(remote)).position(108).put(Requests.bytes(local));
    return both.array();
  }

  /** Returns a value with its type. */
  public static byte[] value(int type, String text) {
    return value(type, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a value with its type. */
  public static byte[] value(int type, byte[] value) {
    byte[] head = {(byte) type, (byte) (value.length >> 8), (byte) value.length};
    return Requests.join(head, value);
  }

  /** Returns a checksum that is not computed yet. */
  public static byte[] emptyChecksum() {
    return value(CHECKSUM, new byte[4]);
  }

  /** Computes the checksum of a header that ends with {@link #emptyChecksum}. */
  public static byte[] seal(byte[] block) {
    CRC32C checksum = new CRC32C();
    checksum.update(block);
    byte[] sealed = block.clone();
    ByteBuffer.wrap(sealed).putInt(block.length - 4, (int) checksum.getValue());
    return sealed;
  }

  /** Returns the facts about TLS between client and proxy. */
  public static byte[] tls(int flags, int verify, byte[]... values) {
    byte[] head = {
      (byte) flags,
      (byte) (verify >> 24),
      (byte) (verify >> 16),
      (byte) (verify >> 8),
      (byte) verify
    };
    return value(0x20, Requests.join(head, Requests.join(values)));
  }

  /** Returns an address as the tests show it. */
  public static String show(@Nullable Object address) {
    return address instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : String.valueOf(address);
  }
}
