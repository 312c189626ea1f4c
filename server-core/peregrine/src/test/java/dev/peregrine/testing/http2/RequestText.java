package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the requests of a test, in the text of HTTP/1.1. */
final class RequestText {
  private final BytePipe source;
  private final LongConsumer onConsumed; // takes the number of bytes, before more are read
  private final byte[] buffer = new byte[16 * 1024];
  private @Nullable OnPartialHead onPartialHead;
  private long consumed;
  private int from;
  private int to;

  RequestText(BytePipe source, LongConsumer onConsumed) {
    this.source = source;
    this.onConsumed = onConsumed;
  }

  /** Called once if a head begins whose rest isn't there yet. */
  interface OnPartialHead {
    void run() throws IOException;
  }

  /** Returns the next head without its empty line; null at the end. */
  @Nullable String head(OnPartialHead partial) throws IOException {
    StringBuilder head = new StringBuilder();
    while (fill()) {
      if (head.isEmpty() && buffer[from] != '\r') {
        onPartialHead = partial;
      }
      String line = line();
      if (!line.isEmpty()) {
        head.append(line).append("\r\n");
      } else if (!head.isEmpty()) {
        onPartialHead = null;
        return head.toString();
      }
    }
    if (!head.isEmpty()) {
      throw new EOFException("the test's stream ends within a head");
    }
    return null;
  }

  /** Returns true if the test has ended its stream, and nothing is left to read. */
  boolean isAtEnd() {
    return from == to && source.isAtEnd();
  }

  /** Returns a line without its end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = next(); c != '\n'; c = next()) {
      line.append((char) c);
    }
    int end = line.length();
    return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
  }

  /** Returns the size of the next chunk. */
  long chunkSize() throws IOException {
    String line = line();
    int extension = line.indexOf(';');
    return Long.parseLong((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
  }

  List<Field> trailers() throws IOException {
    List<Field> trailers = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      trailers.add(
          new Field(
              line.substring(0, colon).toLowerCase(Locale.ROOT),
              line.substring(colon + 1).strip()));
    }
    return trailers;
  }

  /** Returns the bytes that have arrived: at least one, and at most the given number. */
  byte[] content(int bytesMax) throws IOException {
    if (!fill()) {
      throw new EOFException("the test's stream ends within content");
    }
    int count = Math.min(bytesMax, to - from);
    from += count;
    return Arrays.copyOfRange(buffer, from - count, from);
  }

  /** Returns the bytes that are there, at least one; none at the end. */
  byte[] rest() throws IOException {
    return fill() ? content(Http2Frame.BYTES_MAX) : new byte[0];
  }

  private int next() throws IOException {
    if (!fill()) {
      throw new EOFException("the test's stream ends within a line");
    }
    return buffer[from++] & 0xFF;
  }

  private boolean fill() throws IOException {
    if (from < to) {
      return true;
    }
    OnPartialHead partial = onPartialHead;
    if (partial != null && source.available() == 0) {
      onPartialHead = null;
      partial.run();
    }
    onConsumed.accept(consumed);
    from = 0;
    to = Math.max(0, source.read(buffer, 0, buffer.length));
    consumed += to;
    return to > 0;
  }
}
