package dev.peregrine.server.accesslog;

import dev.peregrine.base.Range;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.RejectedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file with a line for each request, and for each rejected one.
 *
 * <pre>{@code
 * try (AccessLog log = AccessLog.builder(Path.of("/var/log/app/access.log")).build();
 *     HttpServer server =
 *         HttpServer.builder().port(8080).exchangeListener(log).handler(handler).start()) {
 *   // ...
 * }
 * }</pre>
 *
 * <p>The event loops encode lines into memory, and one thread of the log writes them, within about
 * half a second. So a slow or full disk never delays a request. If more lines wait than {@link
 * Builder#bufferBytesMax} allows, new ones are dropped and counted ({@link #droppedLines}), and the
 * server's log warns once a minute. A file that can't be written is retried every second. The lines
 * of a connection are in the order in which its exchanges have ended.
 *
 * <p>The file is appended to, and a missing one is created with the permissions that the process's
 * umask leaves of {@code rw-rw-rw-}. If it is renamed or removed, for example by {@code logrotate},
 * the log continues in a new file at its path within about half a second.
 *
 * <p>One log may serve several servers, on whose event loops it is called. Close it after them. The
 * lines of the last half second are lost if the program ends without closing it.
 */
public final class AccessLog implements ExchangeListener, AutoCloseable {
  /** The formats of lines. */
  public enum Format {
    /**
     * The common log format of NCSA: client, two absent fields, time of the request in the JVM's
     * time zone, request line, status, bytes of response content.
     *
     * <pre>{@code
     * 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /index.html HTTP/1.1" 200 2326
     * }</pre>
     *
     * <p>Quotes, backslashes, controls and bytes from 0x7F on are written as {@code \xHH}, so no
     * client can end a field or a line. A response that was never sent has the status 499 if the
     * client has left, and otherwise 000. A rejected request has {@code "-"} as request line. The
     * second absent field is the {@linkplain Builder#user user}, if the log knows it.
     */
    COMMON,

    /**
     * The common format, followed by Referer and User-Agent in quotes; {@code "-"} if absent. The
     * {@linkplain Builder#requestId request's id} follows in quotes, if the log knows it.
     */
    COMBINED,

    /**
     * A JSON object for each line. Members without a value are absent. Bytes from 0x7F on are
     * escaped as characters of ISO 8859-1.
     *
     * <p>A request has {@code time} (of its arrival, RFC 3339, UTC), {@code peer}, {@code method},
     * {@code target}, {@code protocol}, {@code status}, {@code rpcStatus} (the code of a call of
     * gRPC), {@code requestContentBytes}, {@code responseContentBytes}, {@code durationMicros},
     * {@code timeToFirstByteMicros}, {@code runMode}, {@code outcome}, {@code closeReason}, {@code
     * routeTemplate}, {@code user}, {@code requestId}, {@code host}, {@code referer}, {@code
     * userAgent}, and {@code traceparent} as the client sent it. A rejected request has {@code
     * time}, {@code peer}, {@code status}, {@code responseContentBytes}, {@code rejection} and
     * {@code reason}.
     */
    JSON
  }

  private final Format format;
  private final boolean withQuery;
  private final @Nullable AttributeKey<?> user;
  private final @Nullable AttributeKey<?> requestId;
  private final int lineBytesMax;
  private final int bufferBytesMax;
  private final ZoneId zone = ZoneId.systemDefault();
  private final LogWriter writer;

  private AccessLog(Builder options, LogFile file) {
    format = options.format;
    withQuery = options.query;
    user = options.user;
    requestId = options.requestId;
    lineBytesMax = options.lineBytesMax;
    bufferBytesMax = options.bufferBytesMax;
    writer = new LogWriter(file, bufferBytesMax, options.closeTime.toNanos());
  }

  /**
   * Returns options for a log.
   *
   * @param file an existing file to append to, or a new one in an existing directory
   */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /** Returns the buffer of an event loop; null if the log is closed and the loop has none. */
  private @Nullable LoopLines linesOf(LoopInfo loop) {
    LoopLines known = writer.linesOf(loop);
    return known != null || writer.isClosed() ? known : begin(loop);
  }

  private LoopLines begin(LoopInfo loop) {
    RequestValues request = new RequestValues(withQuery, user, requestId);
    LineFormat formatter =
        switch (format) {
          case COMMON -> new NcsaFormat(false, request, zone);
          case COMBINED -> new NcsaFormat(true, request, zone);
          case JSON -> new JsonFormat(request);
        };
    Line line = new Line(lineBytesMax, format == Format.JSON);
    LoopLines created = new LoopLines(loop, formatter, line, bufferBytesMax, writer);
    writer.add(created);
    return created;
  }

  /**
   * Adds the line of an exchange. Called by a server, or by a listener that a server calls and that
   * passes on what the log shall have.
   */
  @Override
  public void onEnd(ExchangeInfo exchange) {
    LoopLines lines = linesOf(exchange.connection().loop());
    if (lines == null) {
      writer.onDropped();
    } else {
      lines.add(exchange);
    }
  }

  /** Adds the line of a rejected request; see {@link #onEnd}. */
  @Override
  public void onRejected(RejectedRequest rejected) {
    LoopLines lines = linesOf(rejected.connection().loop());
    if (lines == null) {
      writer.onDropped();
    } else {
      lines.add(rejected);
    }
  }

  /**
   * Opens the file again before the next line is written, for a program that was signalled after a
   * rotation. A renamed or removed file is noticed without it. Callable from any thread; doesn't
   * wait.
   */
  public void reopen() {
    writer.reopen();
  }

  /**
   * Returns the number of lines that were dropped because too many waited, because the log was
   * closed, or because they could not be written before its close. Callable from any thread.
   */
  public long droppedLines() {
    return writer.dropped();
  }

  /**
   * Returns how often the file could not be opened or written. Nothing is lost by such a failure
   * unless lines are dropped later. Callable from any thread.
   */
  public long fileFailures() {
    return writer.failures();
  }

  /**
   * Writes the lines that wait, and closes the file. Waits up to five seconds for a file that
   * blocks; lines that could not be written by then are counted as dropped. Lines that come later
   * are dropped. Callable from any thread, except an event loop, and more than once.
   */
  @Override
  public void close() {
    writer.close();
  }

  /** Options for a log. A value out of its range throws {@link IllegalArgumentException}. */
  public static final class Builder {
    private static final int LINE_BYTES_LEAST = 2048;
    private static final int LINE_BYTES_DEFAULT = 4096;
    private static final int BUFFER_BYTES_DEFAULT = 1024 * 1024;
    private static final int BUFFER_BYTES_MOST = 1 << 30;

    private final Path file;
    private Format format = Format.COMBINED;
    private boolean query;
    private @Nullable AttributeKey<?> user;
    private @Nullable AttributeKey<?> requestId;
    private int lineBytesMax = LINE_BYTES_DEFAULT;
    private int bufferBytesMax = BUFFER_BYTES_DEFAULT;
    private Duration closeTime = Duration.ofSeconds(5);
    private LogFile.Opener opener = LogFile.APPENDING;

    private Builder(Path file) {
      this.file = file.toAbsolutePath();
    }

    /** Sets the format; {@link Format#COMBINED} by default. */
    public Builder format(Format chosen) {
      format = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * Sets whether the queries of request targets and of Referer are written. They are left out by
     * default, because they may contain secrets: tokens, codes, search terms. The question mark is
     * left out, too.
     */
    public Builder query(boolean written) {
      query = written;
      return this;
    }

    /**
     * Writes the user of each request: the third field of {@link Format#COMMON}, or {@code user}.
     *
     * @param key of the attribute that holds the user, the one given to {@code BasicAuthentication}
     *     for example; its {@link AttributeKey#text} is written
     */
    public Builder user(AttributeKey<?> key) {
      user = Objects.requireNonNull(key);
      return this;
    }

    /**
     * Writes the id of each request: a last field of {@link Format#COMBINED}, or {@code requestId}.
     * {@link Format#COMMON} has no place for it.
     *
     * @param key of the attribute that holds the id, such as {@code RequestId.KEY}
     */
    public Builder requestId(AttributeKey<?> key) {
      requestId = Objects.requireNonNull(key);
      return this;
    }

    /**
     * Sets the maximum length of a line, 2,048 to 65,536 bytes; 4,096 by default. Values in a
     * longer line are cut, and end with {@code ...} then.
     */
    public Builder lineBytesMax(int bytes) {
      lineBytesMax = Range.check("lineBytesMax", bytes, LINE_BYTES_LEAST, LogWriter.BATCH_BYTES);
      return this;
    }

    /**
     * Sets how many bytes of lines may wait to be written, for each event loop: 65,536 to 2^30;
     * 1,048,576 by default. The memory is taken with the first line of the loop, on the heap.
     */
    public Builder bufferBytesMax(int bytes) {
      bufferBytesMax =
          Range.check("bufferBytesMax", bytes, LogWriter.BATCH_BYTES, BUFFER_BYTES_MOST);
      return this;
    }

    /** Sets how long the close waits for a file that blocks. */
    Builder closeTime(Duration time) {
      closeTime = time;
      return this;
    }

    /** Sets how the file is opened. */
    Builder opener(LogFile.Opener opening) {
      opener = opening;
      return this;
    }

    /**
     * Opens the file, and creates it if it is missing.
     *
     * @throws UncheckedIOException if the file can't be opened, because its directory doesn't exist
     *     for example
     */
    public AccessLog build() {
      LogFile opened = new LogFile(file, opener);
      try {
        opened.reopen();
      } catch (IOException failure) {
        throw new UncheckedIOException("can't open the access log " + file, failure);
      }
      return new AccessLog(this, opened);
    }
  }
}
