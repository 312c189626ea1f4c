package dev.peregrine.server.tls.hello;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes of ClientHellos, also of those that no client sends. */
final class HelloBytes {
  static final int HANDSHAKE = 22;
  static final int CLIENT_HELLO = 1;
  static final byte[] NO_EXTENSIONS = {};

  private HelloBytes() {}

  /** Returns bytes with their length before them. */
  static byte[] vector(int lengthBytes, byte[]... parts) {
    byte[] content = join(parts);
    return join(number(lengthBytes, content.length), content);
  }

  static byte[] number(int bytes, int value) {
    byte[] result = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      result[i] = (byte) (value >> (8 * (bytes - 1 - i)));
    }
    return result;
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] extension(int type, byte[]... content) {
    return join(number(2, type), vector(2, content));
  }

  /** Returns the extension with one host name. */
  static byte[] serverName(String name) {
    return serverNames(entry(0, name));
  }

  /** Returns the extension with several names. */
  static byte[] serverNames(byte[]... entries) {
    return extension(0, vector(2, entries));
  }

  static byte[] entry(int type, String name) {
    return join(number(1, type), vector(2, latin(name)));
  }

  static byte[] protocols(String... names) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String name : names) {
      all.writeBytes(vector(1, latin(name)));
    }
    return extension(16, vector(2, all.toByteArray()));
  }

  static byte[] versions(int... numbers) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int number : numbers) {
      all.writeBytes(number(2, number));
    }
    return extension(43, vector(1, all.toByteArray()));
  }

  /** Returns the body of a ClientHello of TLS 1.2 or 1.3. */
  static byte[] body(byte[]... extensions) {
    return join(
        number(2, 0x303),
        new byte[32],
        vector(1, new byte[32]),
        vector(2, number(2, 0x1301)),
        vector(1, new byte[1]),
        extensions.length == 1 && extensions[0].length == 0
            ? NO_EXTENSIONS
            : vector(2, extensions));
  }

  static byte[] message(byte[] body) {
    return join(number(1, CLIENT_HELLO), vector(3, body));
  }

  /** Returns a message in records of that size. */
  static byte[] records(byte[] message, int fragmentBytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int at = 0; at < message.length; at += fragmentBytes) {
      byte[] part = new byte[Math.min(fragmentBytes, message.length - at)];
      System.arraycopy(message, at, part, 0, part.length);
      all.writeBytes(record(part));
    }
    return all.toByteArray();
  }

  static byte[] record(byte[] content) {
    return join(number(1, HANDSHAKE), number(2, 0x301), vector(2, content));
  }

  /** Returns the records of a ClientHello with these extensions, in one record if it fits. */
  static byte[] hello(byte[]... extensions) {
    return records(message(body(extensions)), 16_384);
  }

  /** Returns ClientHellos of every form, whole ones and broken ones. */
  static List<byte[]> seeds() {
    byte[] usual =
        message(
            body(
                serverName("www.example.com"),
                protocols("h2", "http/1.1"),
                versions(0x1a1a, 0x304, 0x303)));
    byte[] large = message(body(extension(51, new byte[20_000]), serverName("large.example")));
    return List.of(
        records(usual, 16_384),
        records(usual, 1),
        records(usual, 100),
        records(large, 16_384),
        hello(NO_EXTENSIONS),
        hello(serverNames(entry(1, "other"), entry(0, "a"), entry(0, "b"))),
        hello(serverName("\u00fc.example"), versions(), protocols("\0\u00ff")),
        hello(extension(0), extension(16), extension(43)),
        hello(extension(0, number(2, 9)), new byte[] {1}),
        record(number(4, 0x01_01_00_01)),
        records(number(4, 0x01_00_00_00), 2),
        record(number(4, 0x02_00_00_10)),
        join(number(1, 22), number(2, 0x301), number(2, 0x8000)),
        latin("GET / HTTP/1.1\r\n\r\n"),
        new byte[] {21, 3, 1, 0, 2, 1, 0});
  }
}
