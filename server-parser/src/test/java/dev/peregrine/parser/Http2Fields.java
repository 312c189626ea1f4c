package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.parser.hpack.HpackDecoder;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Fields as a client sends them over HTTP/2, to be decoded. */
final class Http2Fields {
  private static final String[] REQUEST = {
    ":method: GET", ":scheme: http", ":path: /", ":authority: a"
  };

  private static final int BYTES_MAX = 1 << 20;
  private static final int FIELDS_MAX = 1000;

  /** The value of an integer's first octet that more octets follow. */
  private static final int LENGTH_PREFIX = 0x7F;

  private final List<String> namesAndValues = new ArrayList<>();

  /** Fields from lines such as {@code ":method: GET"}. */
  static Http2Fields of(String... lines) {
    var fields = new Http2Fields();
    for (String line : lines) {
      int colon = line.indexOf(':', 1);
      fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return fields;
  }

  /** Fields from a list of such lines, in which GET stands for those of a request for "/". */
  static Http2Fields ofList(String list) {
    return of(
        Arrays.stream(list.strip().split(", (?=GET|:?[a-z-]+:)"))
            .flatMap(field -> field.equals("GET") ? Stream.of(REQUEST) : Stream.of(field))
            .toArray(String[]::new));
  }

  /** A request for a path, without an authority. */
  static Http2Fields get(String path) {
    return of(":method: GET", ":scheme: http").add(":path", path);
  }

  Http2Fields add(String name, String value) {
    namesAndValues.add(name);
    namesAndValues.add(value);
    return this;
  }

  Http2Fields addAll(Http2Fields others) {
    namesAndValues.addAll(others.namesAndValues);
    return this;
  }

  DecodedFields decoded() {
    return decoded(new DecodedFields(BYTES_MAX, FIELDS_MAX));
  }

  /** Decodes the fields as literals. */
  DecodedFields decoded(DecodedFields into) {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      block.write(0);
      writeString(namesAndValues.get(i), block);
      writeString(namesAndValues.get(i + 1), block);
    }
    MemorySegment bytes = Segments.exact(block.toByteArray());
    assertThat(new HpackDecoder(0).decode(bytes, 0, bytes.byteSize(), into)).isTrue();
    return into;
  }

  private static void writeString(String text, ByteArrayOutputStream block) {
    byte[] bytes = Segments.latin1(text);
    int rest = bytes.length - LENGTH_PREFIX;
    block.write(Math.min(bytes.length, LENGTH_PREFIX));
    for (; rest >= 0x80; rest >>>= 7) {
      block.write(rest | 0x80);
    }
    if (bytes.length >= LENGTH_PREFIX) {
      block.write(rest);
    }
    block.writeBytes(bytes);
  }

  @Override
  public String toString() {
    return namesAndValues.toString();
  }
}
