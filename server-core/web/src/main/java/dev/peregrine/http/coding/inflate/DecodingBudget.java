package dev.peregrine.http.coding.inflate;

import dev.peregrine.http.HttpException;

/** The limit of decoded content, against compression bombs. Used by one thread at a time. */
public final class DecodingBudget {
  private static final int CONTENT_TOO_LARGE = 413;

  private long bytesMax;
  private long decodedBytes;

  /** Permits that many bytes. */
  public DecodingBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Sets another limit. */
  public void limit(long bytes) {
    bytesMax = bytes;
  }

  /** Counts decoded bytes; throws {@link HttpException} with 413 if they exceed the limit. */
  public void countDecoded(int bytes) {
    decodedBytes += bytes;
    if (decodedBytes > bytesMax) {
      throw new HttpException(CONTENT_TOO_LARGE, "content of more than " + bytesMax + " bytes");
    }
  }
}
