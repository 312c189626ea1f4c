package dev.peregrine.http.coding;

/**
 * Encodes the content of one response after another; made by {@link ContentCoding#newEncoder}. Each
 * begins with {@link #begin}, and ends with {@link #finish} or is given up. Used by one thread at a
 * time, but not by the same one always. What a method throws fails the response; {@link #begin} may
 * be called afterwards.
 */
public interface ContentEncoder extends AutoCloseable {
  /** Begins another response; nothing may be left of the one before, finished or not. */
  void begin();

  /** Adds content. The array is the caller's again when this returns. */
  void write(byte[] source, int from, int length);

  /** Encodes what was written so far, so that the client can decode all of it. */
  void flush();

  /** Encodes what was written so far, and ends the content. */
  void finish();

  /** Returns the number of bytes that have been encoded and not been taken. */
  int available();

  /** Takes the bytes that have been encoded and not been taken, which may be none. */
  byte[] take();

  /** Releases native memory; the encoder is not used again. */
  @Override
  void close();
}
