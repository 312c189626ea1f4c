package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a form one after the other, on a thread that may block. The client is read only as
 * fast as the parts are, so memory stays bounded for any size.
 *
 * <pre>{@code
 * try (MultipartReader parts = MultipartReader.open(request, limits)) {
 *   for (Part part = parts.next(); part != null; part = parts.next()) {
 *     if (part.isFile()) {
 *       part.transferTo(directory.resolve(UUID.randomUUID().toString()));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class MultipartReader implements AutoCloseable {
  private static final int WINDOW_BYTES = 32 * 1024;

  private final InputStream source;
  private final MultipartDecoder decoder;
  private final MultipartLimits limits;
  private final byte[] window = new byte[WINDOW_BYTES];
  private final MemorySegment windowSegment = MemorySegment.ofArray(window);
  private @Nullable Part current;
  private boolean ended;
  private @Nullable Throwable failure; // the position in the content is unknown from then on

  private MultipartReader(InputStream source, MultipartDecoder decoder, MultipartLimits limits) {
    this.source = source;
    this.decoder = decoder;
    this.limits = limits;
  }

  /**
   * Begins to read the content of a request.
   *
   * @throws HttpException 415 if the content isn't {@code multipart/form-data}, 400 if its boundary
   *     is missing or malformed, 413 if its declared length is too large
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
   */
  public static MultipartReader open(Request request, MultipartLimits limits) {
    Objects.requireNonNull(limits, "limits");
    MultipartDecoder decoder = MultipartDecoder.of(request, limits);
    return new MultipartReader(request.body().inputStream(), decoder, limits);
  }

  /**
   * Returns the next part, after discarding what is left of the one before; null after the last.
   *
   * @throws IOException if the client disconnects or breaks the framing, if the thread is
   *     interrupted, or if reading has failed before
   * @throws HttpException 400 if the content is malformed, 413 if it exceeds a limit
   */
  public @Nullable Part next() throws IOException {
    if (ended) {
      return null;
    }
    Part before = current;
    current = null;
    if (before != null) {
      before.discard();
    }
    if (nextEvent() == Event.PART) {
      current = newPart();
    }
    return current;
  }

  private Part newPart() {
    try {
      return new Part(this, decoder.head(), limits);
    } catch (Throwable thrown) {
      failure = thrown; // or its content would be taken for the end
      throw thrown;
    }
  }

  /**
   * Returns the next event; {@link Event#MORE} after the last one of the content.
   *
   * @throws IOException if reading fails, or has failed before: no part may be lost unnoticed
   * @throws HttpException 400 if the content ends before
   */
  Event nextEvent() throws IOException {
    if (failure != null) {
      throw failedBefore(failure);
    }
    try {
      return readEvent();
    } catch (Throwable thrown) {
      failure = thrown;
      throw thrown;
    }
  }

  private static IOException failedBefore(Throwable cause) {
    if (cause instanceof HttpException same) {
      throw same;
    }
    return new IOException("reading the form has failed before", cause);
  }

  private Event readEvent() throws IOException {
    while (true) {
      Event event = decoder.next();
      if (event != Event.MORE) {
        return event;
      }
      int count = source.read(window, 0, window.length);
      if (count < 0) {
        decoder.end();
        ended = true;
        return Event.MORE;
      }
      decoder.input(windowSegment, 0, count);
    }
  }

  boolean isCurrent(Part part) {
    return part.equals(current); // by identity
  }

  MultipartDecoder decoder() {
    return decoder;
  }

  /** Discards the rest of the content. Does not throw for content that wasn't read. */
  @Override
  public void close() throws IOException {
    ended = true;
    current = null;
    source.close();
  }
}
