package dev.peregrine.http.coding;

/**
 * Encodes the content of one response after another; created by {@link ContentCoding#newEncoder}.
 * Each response begins with {@link #begin}, and ends with {@link #finish} or is abandoned. Used by
 * one thread at a time, not always the same one. An exception of a method fails the response;
 * {@link #begin} may be called afterwards.
 */
public interface ContentEncoder extends AutoCloseable {
  /** Begins another response. Discards all state of the one before, finished or not. */
  void begin();

  /** Adds content. The array is the caller's again when this returns. */
  void write(byte[] source, int from, int length);

  /** Encodes all bytes written so far, so that the client can decode all of it. */
  void flush();

  /** Encodes all bytes written so far, and ends the content. */
  void finish();

  /** Returns the number of bytes that have been encoded and not been taken. */
  int available();

  /** Takes the bytes that have been encoded and not been taken, which may be none. */
  byte[] take();

  /** Releases native memory; the encoder is not used again. */
  @Override
  void close();
}
