package dev.peregrine.http.multipart;

import dev.peregrine.http.multipart.DecodedMultipart.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checks that the decoder takes content apart as a plain reader does, for every cut: whole, byte by
 * byte, and at random.
 */
public final class MultipartTarget {
  private static final int PIECE_BYTES_MAX = 40;
  private static final List<String> BOUNDARIES = List.of("b", "--b-b", "a=b:c, d");

  /** Small limits, so that short content exceeds them. Those of bytes depend on the pieces. */
  static final MultipartLimits SMALL =
      MultipartLimits.builder()
          .partsMax(3)
          .headerBytesMax(120)
          .nameBytesMax(12)
          .preambleBytesMax(5)
          .epilogueBytesMax(5)
          .build();

  private MultipartTarget() {}

  /** Returns contents with the boundary "b". */
  public static List<byte[]> seeds() {
    String field =
        """
        --b\r
        Content-Disposition: form-data; name="a"\r
        \r
        """;
    String file =
        """
        --b\r
        Content-Disposition: form-data; name="f"; filename="x%22y.txt"\r
        Content-Type: text/plain\r
        \r
        """;
    List<byte[]> seeds = new ArrayList<>();
    String extended =
        "--b\r\ncontent-disposition:form-data;NAME=a;filename*=UTF-8''x;filename=y\r\n";
    for (String seed :
        List.of(
            field + "value\r\n--b--\r\n",
            field + "value\r\n" + file + "content\r\n--b--",
            field + "\r\n" + field + "--b--",
            field + "\r\n--\r\n--c\r\r\n--b \t\r\n" + file.substring(5) + "\r\n--b--  \r\nend",
            "pre\r\n" + file + "x".repeat(300) + "\r\n-\r\n--" + "y".repeat(200) + "\r\n--b--\r\n",
            extended + "X: y\r\n\r\n\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"\u00e4\\\"\\\\\\x\"\r\n\r\n1\r\n--b--",
            "--b--\r\n",
            field.repeat(3) + "\r\n--b--\r\n")) {
      seeds.add(seed.getBytes(StandardCharsets.UTF_8));
    }
    return seeds;
  }

  /** Checks content with each of some boundaries, in place of the boundary "b". */
  public static void run(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    for (String boundary : BOUNDARIES) {
      check(text.replace("--b", "--" + boundary), boundary);
    }
  }

  static void check(String text, String boundary) {
    byte[] content = text.getBytes(StandardCharsets.ISO_8859_1);
    for (MultipartLimits limits : List.of(MultipartLimits.DEFAULTS, SMALL)) {
      List<String> expected = PlainMultipart.read(text, boundary, limits);
      List<byte[]> single = cut(content, new SplittableRandom(1), 1);
      List<byte[]> random =
          cut(content, new SplittableRandom(Arrays.hashCode(content)), PIECE_BYTES_MAX);
      for (Kind kind : Kind.values()) {
        for (List<byte[]> pieces : List.of(List.of(content), single, random)) {
          List<String> actual = DecodedMultipart.read(pieces, boundary, limits, kind);
          if (!expected.equals(actual)) {
            throw new AssertionError(
                actual + ", not " + expected + ": " + HexFormat.of().formatHex(content));
          }
        }
      }
    }
  }

  private static List<byte[]> cut(byte[] bytes, SplittableRandom random, int pieceBytesMax) {
    List<byte[]> pieces = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(pieceBytesMax));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces;
  }
}
