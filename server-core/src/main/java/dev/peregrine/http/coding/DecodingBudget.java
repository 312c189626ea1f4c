package dev.peregrine.http.coding;

import dev.peregrine.http.HttpException;

/** The limits of decoded content, against compression bombs. Used by one thread at a time. */
final class DecodingBudget {
  /** Decoded bytes up to which the ratio isn't limited. */
  static final long RATIO_FREE_BYTES = 1024 * 1024;

  private static final int CONTENT_TOO_LARGE = 413;

  private final long ratioMax;
  private long bytesMax;
  private long encodedBytes;
  private long decodedBytes;

  DecodingBudget(long bytesMax, long ratioMax) {
    this.bytesMax = bytesMax;
    this.ratioMax = ratioMax;
  }

  void limit(long bytes) {
    bytesMax = bytes;
  }

  void countEncoded(int bytes) {
    encodedBytes += bytes;
  }

  /** Counts decoded bytes; throws {@link HttpException} with 413 if they exceed a limit. */
  void countDecoded(int bytes) {
    decodedBytes += bytes;
    if (decodedBytes > bytesMax) {
      throw new HttpException(CONTENT_TOO_LARGE, "content of more than " + bytesMax + " bytes");
    }
    if (decodedBytes > RATIO_FREE_BYTES && decodedBytes / ratioMax > encodedBytes) {
      throw new HttpException(
          CONTENT_TOO_LARGE, "content that is compressed by more than " + ratioMax + " to 1");
    }
  }
}
