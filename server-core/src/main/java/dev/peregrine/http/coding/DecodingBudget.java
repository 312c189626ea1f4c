package dev.peregrine.http.coding;

import dev.peregrine.http.HttpException;

/** How much may come of compressed content, against bombs. Used by one thread at a time. */
final class DecodingBudget {
  /** Up to here content may be as repetitive as it likes. */
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

  /** Throws {@link HttpException} with 413 if that is too much. */
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
