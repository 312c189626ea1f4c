package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The framing of several ranges in one response (RFC 9110 section 14.6). */
final class Multipart {
  private final List<ByteRange> ranges;
  private final List<byte[]> heads;
  private final byte[] end;
  private final ContentType type;

  Multipart(List<ByteRange> ranges, ContentType partType, long size) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String boundary = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    this.ranges = ranges;
    this.type = ContentType.of("multipart/byteranges; boundary=" + boundary);
    this.heads = new ArrayList<>(ranges.size());
    for (ByteRange range : ranges) {
      heads.add(
          ascii(
              (heads.isEmpty() ? "--" : "\r\n--")
                  + boundary
                  + "\r\nContent-Type: "
                  + partType
                  + "\r\nContent-Range: "
                  + range.of(size)
                  + "\r\n\r\n"));
    }
    this.end = ascii("\r\n--" + boundary + "--\r\n");
  }

  ContentType type() {
    return type;
  }

  List<ByteRange> ranges() {
    return ranges;
  }

  /** Returns the text before the bytes of a range. */
  byte[] head(int index) {
    return heads.get(index);
  }

  /** Returns the text after the last range. */
  byte[] end() {
    return end;
  }

  /** Returns the length of the whole content. */
  long bytes() {
    long bytes = end.length;
    for (int i = 0; i < ranges.size(); i++) {
      bytes += heads.get(i).length + ranges.get(i).bytes();
    }
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
