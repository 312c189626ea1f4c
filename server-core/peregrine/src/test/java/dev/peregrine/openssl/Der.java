package dev.peregrine.openssl;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** DER (X.690) of the few types that a certificate has. */
final class Der {
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int UTF8_STRING = 0x0C;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  private Der() {}

  /** Returns a value: its tag, its length, and the parts as content. */
  static byte[] of(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    int length = content.size();
    if (length >= 0x100) {
      value.write(0x82);
      value.write(length >> 8);
    } else if (length >= 0x80) {
      value.write(0x81);
    }
    value.write(length);
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }

  static byte[] text(int tag, String text) {
    return of(tag, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an object identifier such as {@code 2.5.29.17}. */
  static byte[] oid(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      int arc = Integer.parseInt(arcs[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >> shift != 0) {
          content.write(0x80 | (arc >> shift));
        }
      }
      content.write(arc & 0x7F);
    }
    return of(OBJECT_IDENTIFIER, content.toByteArray());
  }
}
