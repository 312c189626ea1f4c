package dev.peregrine.server.tls.hello;

import dev.peregrine.server.observe.HandshakeFailure;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A second reader of a ClientHello, which has all bytes at once and is as simple as possible. */
final class HelloModel {
  static final String INCOMPLETE = "incomplete";

  private static final int BYTES_MAX = 65_536;
  private static final Pattern NAME = Pattern.compile("([-0-9A-Z_a-z]{1,63}(\\.(?=.)|\\.?$))+");
  private static final List<String> VERSIONS =
      List.of("SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");

  private byte[] bytes;
  private int at;
  private @Nullable String name;
  private final List<String> versions = new ArrayList<>();
  private final List<String> protocols = new ArrayList<>();

  private HelloModel(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns {@link #INCOMPLETE}, a failure, or a description of the ClientHello. */
  static String read(byte[] records) {
    try {
      return new HelloModel(records).read();
    } catch (HelloException failure) {
      return describe(failure);
    }
  }

  static String describe(HelloException failure) {
    return "failed " + failure.reason() + " " + failure.alert();
  }

  static String describe(@Nullable ClientHello hello) {
    return hello == null
        ? INCOMPLETE
        : hello.serverName() + " " + hello.versions() + " " + hello.applicationProtocols();
  }

  private String read() throws HelloException {
    if (bytes.length == 0) {
      return INCOMPLETE;
    }
    if (bytes[0] >= 'A' && bytes[0] <= 'Z') {
      throw new HelloException(HandshakeFailure.PLAIN_HTTP, HelloException.NO_ALERT, "");
    }
    if (bytes[0] != 22) {
      throw new HelloException(HandshakeFailure.NOT_TLS, HelloException.NO_ALERT, "");
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    while (bytes.length - at >= 5) {
      joined.writeBytes(fragment());
      byte[] message = joined.toByteArray();
      check(message.length == 0 || message[0] == 1, HelloException.UNEXPECTED_MESSAGE);
      if (message.length >= 4) {
        int length = number(message, 1, 3);
        check(length <= BYTES_MAX, HelloException.ILLEGAL_PARAMETER);
        if (message.length >= 4 + length) {
          return parse(Arrays.copyOfRange(message, 4, 4 + length));
        }
      }
    }
    check(bytes.length < BYTES_MAX, HelloException.ILLEGAL_PARAMETER);
    return INCOMPLETE;
  }

  /** Returns the content of the next record, as far as it has arrived. */
  private byte[] fragment() throws HelloException {
    check(bytes[at] == 22 && bytes[at + 1] == 3, HelloException.UNEXPECTED_MESSAGE);
    int length = number(bytes, at + 3, 2);
    check(length <= 16_384, HelloException.RECORD_OVERFLOW);
    check(length > 0, HelloException.DECODE_ERROR);
    int start = at + 5;
    at = Math.min(start + length, bytes.length);
    return Arrays.copyOfRange(bytes, start, at);
  }

  private String parse(byte[] body) throws HelloException {
    bytes = body;
    at = 0;
    int version = number(2);
    vector(32);
    vector(number(1));
    vector(number(2));
    vector(number(1));
    if (at < bytes.length) {
      within(vector(number(2)), this::extension);
    }
    if (versions.isEmpty()) {
      addVersion(version);
    }
    return describe(new ClientHello(name, versions, protocols));
  }

  private interface Part {
    void read() throws HelloException;
  }

  /** Reads parts of other bytes until none are left. */
  private void within(byte[] part, Part reader) throws HelloException {
    byte[] outer = bytes;
    int outerAt = at;
    bytes = part;
    for (at = 0; at < bytes.length; ) {
      reader.read();
    }
    bytes = outer;
    at = outerAt;
  }

  private void extension() throws HelloException {
    int type = number(2);
    byte[] content = vector(number(2));
    switch (type) {
      case 0 -> list(content, 2, this::serverName);
      case 16 -> list(content, 2, this::protocol);
      case 43 -> list(content, 1, () -> addVersion(number(2)));
      default -> {}
    }
  }

  /** Reads a list with its length before it; bytes after it are ignored. */
  private void list(byte[] content, int lengthBytes, Part reader) throws HelloException {
    check(content.length >= lengthBytes, HelloException.DECODE_ERROR);
    int end = lengthBytes + number(content, 0, lengthBytes);
    check(content.length >= end, HelloException.DECODE_ERROR);
    within(Arrays.copyOfRange(content, lengthBytes, end), reader);
  }

  private void serverName() throws HelloException {
    int type = number(1);
    String text = new String(vector(number(2)), StandardCharsets.ISO_8859_1);
    if (type == 0 && name == null) {
      check(text.length() <= 255 && NAME.matcher(text).matches(), HelloException.ILLEGAL_PARAMETER);
      name = text.replaceAll("\\.$", "").toLowerCase(Locale.ROOT);
    }
  }

  private void protocol() throws HelloException {
    String text = new String(vector(number(1)), StandardCharsets.ISO_8859_1);
    protocols.add(text.replaceAll("[^!-~]", "?"));
  }

  private void addVersion(int number) {
    if (number >= 0x300 && number < 0x300 + VERSIONS.size()) {
      versions.add(VERSIONS.get(number - 0x300));
    }
  }

  private int number(int count) throws HelloException {
    return number(vector(count), 0, count);
  }

  private static int number(byte[] source, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      number = (number << 8) | (source[i] & 0xFF);
    }
    return number;
  }

  private byte[] vector(int count) throws HelloException {
    check(count <= bytes.length - at, HelloException.DECODE_ERROR);
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  private static void check(boolean holds, int alert) throws HelloException {
    if (!holds) {
      throw HelloException.invalid(alert, "");
    }
  }
}
