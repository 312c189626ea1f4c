package dev.peregrine.http.lines;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.arriving.Keeper;
import dev.peregrine.http.arriving.LentBytes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a request's content one after the other, on a thread that may block. The client is
 * read only as fast as the lines are, so memory stays bounded for any size.
 *
 * <pre>{@code
 * try (LineReader lines = LineReader.open(request, 64 * 1024)) {
 *   for (Bytes line = lines.next(); line != null; line = lines.next()) {
 *     records.add(Record.parse(line.toString()));
 *   }
 * }
 * }</pre>
 *
 * <p>The last line needs no end. Nothing is allocated for a line. Not thread-safe.
 */
public final class LineReader implements AutoCloseable {
  private static final int WINDOW_BYTES = 32 * 1024;

  private final InputStream source;
  private final LineSplitter splitter;
  private final byte[] window = new byte[WINDOW_BYTES];
  private final MemorySegment windowMemory = MemorySegment.ofArray(window);
  private final LentBytes view; // one for all lines
  private boolean ended;
  private @Nullable Throwable failure; // the position in the content is unknown from then on

  private LineReader(RequestBody body, LineSplitter splitter) {
    this.source = body.inputStream();
    this.splitter = splitter;
    this.view = new LentBytes(Keeper.of(body));
  }

  /**
   * Begins to read the content of a request.
   *
   * @param lineBytesMax the largest line in bytes, without its end, 1 to 1,073,741,824
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
   */
  public static LineReader open(Request request, int lineBytesMax) {
    return open(request, lineBytesMax, LineEnd.LF);
  }

  /** Like {@link #open(Request, int)}, with another end of lines. */
  public static LineReader open(Request request, int lineBytesMax, LineEnd end) {
    LineSplitter splitter = new LineSplitter(lineBytesMax, Objects.requireNonNull(end, "end"));
    return new LineReader(request.body(), splitter);
  }

  /**
   * Returns the next line without its end, readable until the next call; null after the last one.
   *
   * @throws IOException if the client disconnects or breaks the framing, if the thread is
   *     interrupted, or if reading has failed before
   * @throws HttpException 413 if the line is longer than the limit
   */
  public @Nullable Bytes next() throws IOException {
    view.close();
    if (failure instanceof HttpException same) {
      throw same;
    }
    if (failure != null) {
      throw new IOException("reading the lines has failed before", failure);
    }
    try {
      return read() ? view : null;
    } catch (Throwable thrown) {
      failure = thrown;
      throw thrown;
    }
  }

  private boolean read() throws IOException {
    while (!splitter.next()) {
      int count = ended ? -1 : source.read(window, 0, window.length);
      if (count < 0) {
        ended = true;
        if (!splitter.last()) {
          return false;
        }
        break;
      }
      splitter.input(windowMemory, 0, count);
    }
    view.open(splitter.line(), splitter.lineFrom(), splitter.lineTo());
    return true;
  }

  /** Discards the rest of the content. Does not throw for content that wasn't read. */
  @Override
  public void close() throws IOException {
    ended = true;
    view.close();
    splitter.drop();
    source.close();
  }
}
