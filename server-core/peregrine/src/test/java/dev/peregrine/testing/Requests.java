package dev.peregrine.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;

/** Requests as bytes, and content to put into them. */
public final class Requests {
  private static final long CONTENT_SEED = 42;

  private Requests() {}

  public static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns a head of the lines, followed by the empty one. */
  public static byte[] lines(String... lines) {
    return bytes(text(lines));
  }

  /** Returns the text of a head of the lines, followed by the empty one. */
  public static String text(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  public static byte[] get(String target) {
    return bytes("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  public static byte[] head(String target) {
    return bytes("HEAD " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** A request with content of a declared length. */
  public static byte[] post(String target, byte[] content) {
    return join(bytes(postHead(target, content.length)), content);
  }

  /** The head of a request with content of a declared length. */
  public static String postHead(String target, long contentLength) {
    return "POST "
        + target
        + " HTTP/1.1\r\nHost: test\r\nContent-Length: "
        + contentLength
        + "\r\n\r\n";
  }

  /** The head of a request with content in chunks. */
  public static String chunkedHead(String target) {
    return "POST " + target + " HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";
  }

  /** A request with content in chunks of a size (the last may be smaller). */
  public static byte[] chunkedPost(String target, byte[] content, int chunkBytes) {
    return chunkedPost(target, content, chunkBytes, Map.of());
  }

  public static byte[] chunkedPost(
      String target, byte[] content, int chunkBytes, Map<String, String> trailers) {
    return join(bytes(chunkedHead(target)), chunks(content, chunkBytes, trailers));
  }

  /** Content in chunks of a size, with the last chunk and the trailers. */
  public static byte[] chunks(byte[] content, int chunkBytes, Map<String, String> trailers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < content.length; from += chunkBytes) {
      int part = Math.min(chunkBytes, content.length - from);
      out.writeBytes(bytes(Integer.toHexString(part) + "\r\n"));
      out.write(content, from, part);
      out.writeBytes(bytes("\r\n"));
    }
    out.writeBytes(bytes("0\r\n"));
    trailers.forEach((name, value) -> out.writeBytes(bytes(name + ": " + value + "\r\n")));
    out.writeBytes(bytes("\r\n"));
    return out.toByteArray();
  }

  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** Bytes without any pattern, always the same ones. */
  public static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(CONTENT_SEED).nextBytes(content);
    return content;
  }
}
