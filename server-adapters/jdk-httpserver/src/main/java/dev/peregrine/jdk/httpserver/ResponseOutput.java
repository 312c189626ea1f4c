package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Headers;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response, which the handler can get before the head is sent.
 *
 * <pre>
 *   UNSENT ──head and length──▶ GATHERING ──all bytes, close──▶ COMPLETE
 *     ├───────long or unknown──▶ STREAMING ◀──flush──┘              ▲
 *     │                              └────────────close─────────────┤
 *     └───────────────without content───────────────────────────────┘
 * </pre>
 *
 * <p>Short content is gathered, so that head and content are passed to the event loop together.
 */
final class ResponseOutput extends OutputStream {
  private enum State {
    UNSENT,
    GATHERING,
    STREAMING,
    COMPLETE
  }

  private static final int GATHERED_BYTES_MAX = 16 * 1024;
  private static final byte[] NOTHING = {};
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

  private final Response response;
  private final InputStream requestContent;
  private final ExchangeCount exchanges;
  private State state = State.UNSENT;
  private boolean unframed; // neither a length nor chunks are declared
  private boolean fixed; // the length is declared
  private long declared; // bytes
  private long left; // of them
  private byte[] gathered = NOTHING;
  private @Nullable OutputStream stream; // from STREAMING on
  private @Nullable RawStreams raw; // once the connection has left HTTP
  private boolean failed;

  /**
   * Creates the content of an exchange that was counted.
   *
   * @param requestContent closed when the response is complete
   */
  ResponseOutput(Response response, InputStream requestContent, ExchangeCount exchanges) {
    this.response = response;
    this.requestContent = requestContent;
    this.exchanges = exchanges;
  }

  // ---- the head is sent ----

  /** Sends the response to a HEAD request, with the length of the content that GET would have. */
  void sendHead(long length) {
    if (length < 0) {
      response.stream().complete();
    } else {
      response.contentLength(length).send();
    }
    fixed = length >= 0;
    declared = Math.max(length, 0);
    complete();
  }

  /** Sends the response without content. */
  void sendNothing() {
    response.send();
    fixed = true;
    complete();
  }

  /** Sends a response in place of content of that length, which the handler has set. */
  void sendReplaced(long length) {
    response.contentLength(length);
    sendNothing();
    declared = length;
  }

  /** Sends a response whose status excludes content, and that has no length. */
  void sendUnframed() {
    sendNothing();
    unframed = true;
  }

  /** Begins content of a length of at least 1. */
  void beginFixed(long length) {
    fixed = true;
    declared = length;
    left = length;
    if (length <= GATHERED_BYTES_MAX) {
      gathered = new byte[(int) length];
      state = State.GATHERING;
    } else {
      startStream();
    }
  }

  /** Begins content whose length isn't known: chunked, even if it turns out to be short. */
  void beginUnknown() {
    stream = new ChunkedOutput(response.stream());
    state = State.STREAMING;
  }

  private OutputStream startStream() {
    OutputStream started = response.contentLength(declared).outputStream();
    stream = started;
    state = State.STREAMING;
    return started;
  }

  /** Has later writes go to the connection. */
  void continueWith(RawStreams streams) {
    raw = streams;
    unframed = true;
    stream = streams.output();
    state = State.STREAMING;
  }

  /** Sets the fields that the server has added. */
  void describeTo(Headers headers) {
    headers.set("Date", DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
    if (unframed) {
      headers.remove("Content-length");
      headers.remove("Transfer-encoding");
    } else if (fixed) {
      headers.set("Content-length", Long.toString(declared));
    } else {
      headers.set("Transfer-encoding", "chunked");
    }
  }

  // ---- content ----

  @Override
  public void write(int b) throws IOException {
    count(1);
    if (state == State.GATHERING) {
      gathered[(int) (declared - left) - 1] = (byte) b;
    } else {
      stream().write(b);
    }
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, source.length);
    if (length == 0 && state != State.UNSENT) {
      return;
    }
    count(length);
    if (state == State.GATHERING) {
      System.arraycopy(source, from, gathered, (int) (declared - left) - length, length);
    } else {
      stream().write(source, from, length);
    }
  }

  /** Counts bytes that are about to be written; throws if they can't be. */
  private void count(int length) throws IOException {
    requireSent();
    if (state == State.COMPLETE) {
      throw new IOException("stream closed");
    }
    if (fixed) {
      if (length > left) {
        throw new IOException(
            "too many bytes to write to stream: "
                + declared
                + " were announced, "
                + left
                + " left");
      }
      left -= length;
    }
  }

  private void requireSent() throws IOException {
    if (state == State.UNSENT) {
      throw new IOException("response headers not sent yet");
    }
  }

  private OutputStream stream() {
    return Objects.requireNonNull(stream);
  }

  @Override
  public void flush() throws IOException {
    requireSent();
    try {
      if (state == State.GATHERING) {
        int count = (int) (declared - left);
        startStream().write(gathered, 0, count);
        gathered = NOTHING;
      }
      if (state == State.STREAMING) {
        stream().flush();
      }
    } catch (IllegalStateException ended) {
      throw gone(ended);
    }
  }

  private static IOException gone(IllegalStateException ended) {
    return new IOException("the exchange has ended, because the client is gone", ended);
  }

  @Override
  public void close() throws IOException {
    requireSent();
    if (state == State.COMPLETE) {
      return;
    }
    if (fixed && left > 0) {
      IOException failure =
          new IOException("insufficient bytes written to stream: " + left + " of " + declared);
      abort(failure);
      throw failure;
    }
    boolean whole = state == State.GATHERING;
    complete();
    if (whole) {
      sendGathered();
    } else {
      stream().close();
    }
    if (raw == null) {
      requestContent.close();
    }
  }

  private void sendGathered() throws IOException {
    try {
      response.send(gathered);
    } catch (IllegalStateException ended) {
      throw gone(ended);
    }
  }

  // ---- the end ----

  private void complete() {
    if (state != State.COMPLETE) {
      state = State.COMPLETE;
      exchanges.end();
    }
  }

  /** Returns true if the response has ended, or failed. */
  boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Fails the exchange, unless its response is complete. */
  void abort(Throwable cause) {
    if (!failed) {
      failed = true;
      complete();
      response.fail(cause); // which leaves a connection alone that isn't HTTP's any more
      if (raw != null) {
        raw.abort();
      }
    }
  }
}
