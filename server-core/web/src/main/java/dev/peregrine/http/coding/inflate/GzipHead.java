package dev.peregrine.http.coding.inflate;

import dev.peregrine.http.HttpException;
import java.util.zip.CRC32;

/** Reads the header of a gzip member (RFC 1952 section 2.3), byte by byte; keeps none of it. */
final class GzipHead {
  private static final int FIXED_BYTES = 10;
  private static final int ID_1 = 0x1F;
  private static final int ID_2 = 0x8B;
  private static final int DEFLATE = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final CRC32 checksum = new CRC32();
  private int count; // bytes of the fixed part
  private int flags; // the optional parts that have not been read
  private int extraSizeBytes;
  private int extraBytes;
  private int checksumBytes;
  private int checksumRead;

  void reset() {
    checksum.reset();
    count = 0;
    flags = 0;
    extraSizeBytes = 0;
    extraBytes = 0;
    checksumBytes = 0;
    checksumRead = 0;
  }

  /** Takes the next byte. Returns true if it was the last. */
  boolean accept(byte next) {
    int b = next & 0xFF;
    if (count < FIXED_BYTES) {
      acceptFixed(b);
    } else if ((flags & HAS_EXTRA) != 0) {
      acceptExtra(b);
    } else if ((flags & HAS_NAME) != 0) {
      flags &= b == 0 ? ~HAS_NAME : ~0;
    } else if ((flags & HAS_COMMENT) != 0) {
      flags &= b == 0 ? ~HAS_COMMENT : ~0;
    } else {
      acceptChecksum(b);
      return flags == 0;
    }
    checksum.update(b);
    return count == FIXED_BYTES && flags == 0;
  }

  private void acceptFixed(int b) {
    boolean valid =
        switch (count) {
          case 0 -> b == ID_1;
          case 1 -> b == ID_2;
          case 2 -> b == DEFLATE;
          case 3 -> (b & RESERVED) == 0;
          default -> true;
        };
    require(valid);
    if (count == 3) {
      flags = b & (HAS_CHECKSUM | HAS_EXTRA | HAS_NAME | HAS_COMMENT);
    }
    count++;
  }

  private void acceptExtra(int b) {
    if (extraSizeBytes < 2) {
      extraBytes |= b << (Byte.SIZE * extraSizeBytes++);
    } else {
      extraBytes--;
    }
    if (extraSizeBytes == 2 && extraBytes == 0) {
      flags &= ~HAS_EXTRA;
    }
  }

  private void acceptChecksum(int b) {
    checksumRead |= b << (Byte.SIZE * checksumBytes++);
    if (checksumBytes == 2) {
      require(checksumRead == (checksum.getValue() & 0xFFFF));
      flags = 0;
    }
  }

  private static void require(boolean valid) {
    if (!valid) {
      throw new HttpException(400, "the content is not gzip");
    }
  }
}
