package dev.peregrine.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Metadata as fields of HTTP: text as it is, binary values in base64. */
final class Fields {
  static final String STATUS = "grpc-status";
  static final String MESSAGE = "grpc-message";
  static final String TIMEOUT = "grpc-timeout";
  static final String ENCODING = "grpc-encoding";
  static final String ACCEPT_ENCODING = "grpc-accept-encoding";

  private static final String BINARY_SUFFIX = Metadata.BINARY_HEADER_SUFFIX;
  private static final int KNOWN_MAX = 256; // clients choose the names of their fields
  private static final int KNOWN_LENGTH_MAX = 64;

  // What the server writes by itself, and fields of a connection.
  private static final Set<String> RESERVED =
      Set.of(
          STATUS,
          MESSAGE,
          ENCODING,
          ACCEPT_ENCODING,
          "content-type",
          "content-length",
          "te",
          "user-agent",
          "connection",
          "transfer-encoding",
          "upgrade",
          "keep-alive",
          "proxy-connection",
          "trailer",
          "host");

  private static final String[] CODES =
      Arrays.stream(Status.Code.values())
          .map(code -> Integer.toString(code.value()))
          .toArray(String[]::new);

  private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();
  private static final ConcurrentHashMap<String, Metadata.Key<String>> TEXT =
      new ConcurrentHashMap<>();
  private static final ConcurrentHashMap<String, Metadata.Key<byte[]>> BINARY =
      new ConcurrentHashMap<>();

  private Fields() {}

  /** Reads values of a binary field. Returns false if one isn't base64. */
  static boolean readBinary(Metadata metadata, String name, String values) {
    Metadata.Key<byte[]> key = binary(name);
    if (key == null) {
      return true;
    }
    try {
      for (String value : values.split(",", -1)) {
        metadata.put(key, Base64.getDecoder().decode(value.strip()));
      }
      return true;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  static boolean isBinary(String name) {
    int from = name.length() - BINARY_SUFFIX.length();
    return from >= 0 && name.regionMatches(true, from, BINARY_SUFFIX, 0, BINARY_SUFFIX.length());
  }

  /** Returns the key of a name; null if metadata can't have it. */
  static Metadata.@Nullable Key<String> text(String name) {
    Metadata.Key<String> known = TEXT.get(name);
    if (known != null || !isName(name)) {
      return known;
    }
    Metadata.Key<String> key =
        Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
    if (TEXT.size() < KNOWN_MAX && name.length() <= KNOWN_LENGTH_MAX) {
      TEXT.putIfAbsent(name, key);
    }
    return key;
  }

  private static Metadata.@Nullable Key<byte[]> binary(String name) {
    Metadata.Key<byte[]> known = BINARY.get(name);
    if (known != null || !isName(name)) {
      return known;
    }
    Metadata.Key<byte[]> key =
        Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.BINARY_BYTE_MARSHALLER);
    if (BINARY.size() < KNOWN_MAX && name.length() <= KNOWN_LENGTH_MAX) {
      BINARY.putIfAbsent(name, key);
    }
    return key;
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** Writes the end of a call as fields. */
  static void write(Status status, Metadata trailers, BiConsumer<String, String> fields) {
    fields.accept(STATUS, text(status));
    String description = status.getDescription();
    if (description != null) {
      fields.accept(MESSAGE, escape(description));
    }
    write(trailers, fields);
  }

  /** Returns the code of a status as text. */
  static String text(Status status) {
    return CODES[status.getCode().value()];
  }

  /** Writes metadata as fields, except for those that the server writes itself. */
  static void write(Metadata metadata, BiConsumer<String, String> fields) {
    for (String name : metadata.keys()) {
      if (RESERVED.contains(name)) {
        continue;
      }
      if (isBinary(name)) {
        Iterable<byte[]> values = metadata.getAll(binary(name));
        for (byte[] value : values == null ? Set.<byte[]>of() : values) {
          fields.accept(name, ENCODER.encodeToString(value));
        }
      } else {
        Iterable<String> values = metadata.getAll(text(name));
        for (String value : values == null ? Set.<String>of() : values) {
          if (isText(value)) {
            fields.accept(name, value);
          }
        }
      }
    }
  }

  private static boolean isText(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < 0x20 || value.charAt(i) > 0x7E) {
        return false;
      }
    }
    return true;
  }

  /** Returns the text of a status as a field: bytes of UTF-8 outside of ASCII are escaped. */
  static String escape(String text) {
    boolean plain = true;
    for (int i = 0; i < text.length() && plain; i++) {
      plain = isPlain(text.charAt(i));
    }
    if (plain) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      int unsigned = each & 0xFF;
      if (isPlain((char) unsigned)) {
        escaped.append((char) unsigned);
      } else {
        escaped.append('%').append(hex(unsigned >>> 4)).append(hex(unsigned & 0xF));
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c <= 0x7E && c != '%';
  }

  private static String hex(int digit) {
    return Integer.toHexString(digit).toUpperCase(Locale.ROOT);
  }
}
