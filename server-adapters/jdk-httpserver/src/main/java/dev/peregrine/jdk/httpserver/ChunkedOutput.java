package dev.peregrine.jdk.httpserver;

import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** Content of unknown length, gathered to chunks of 8 KiB. A write waits for a slow client. */
final class ChunkedOutput extends OutputStream {
  private static final int CHUNK_BYTES = 8 * 1024;
  private static final int CHUNK_BYTES_INITIAL = 512;
  private static final int PIECE_BYTES_MAX = 64 * 1024;

  private final ResponseStream stream;
  private byte[] gathered = new byte[CHUNK_BYTES_INITIAL];
  private int count;

  ChunkedOutput(ResponseStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int b) throws IOException {
    makeRoom(1);
    gathered[count++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, source.length);
    if (length >= CHUNK_BYTES) {
      sendGathered();
      sendPieces(source, from, from + length);
      return;
    }
    makeRoom(length);
    System.arraycopy(source, from, gathered, count, length);
    count += length;
  }

  /** Sends many bytes, of which a few are copied at a time: the client may be slow. */
  private void sendPieces(byte[] source, int from, int to) throws IOException {
    for (int at = from; at < to; at += Math.min(to - at, PIECE_BYTES_MAX)) {
      send(Arrays.copyOfRange(source, at, at + Math.min(to - at, PIECE_BYTES_MAX)));
    }
  }

  /** Makes room for less than a chunk. */
  private void makeRoom(int wanted) throws IOException {
    if (wanted > CHUNK_BYTES - count) {
      sendGathered();
    }
    if (wanted > gathered.length - count) {
      int larger = Math.max(2 * gathered.length, count + wanted);
      gathered = Arrays.copyOf(gathered, Math.min(larger, CHUNK_BYTES));
    }
  }

  private void sendGathered() throws IOException {
    if (count > 0) {
      byte[] chunk = Arrays.copyOf(gathered, count);
      count = 0;
      send(chunk);
    }
  }

  /** Sends an array, which is not changed any more. */
  private void send(byte[] chunk) throws IOException {
    try {
      stream.write(chunk);
      stream.awaitWritable();
    } catch (IllegalStateException ended) {
      throw new IOException("the exchange has ended, because the client is gone", ended);
    }
  }

  @Override
  public void flush() throws IOException {
    sendGathered();
    try {
      stream.flush();
    } catch (IllegalStateException ended) {
      throw new IOException("the exchange has ended, because the client is gone", ended);
    }
  }

  @Override
  public void close() throws IOException {
    sendGathered();
    try {
      stream.complete();
    } catch (IllegalStateException ended) {
      throw new IOException("the exchange has ended, because the client is gone", ended);
    }
  }
}
