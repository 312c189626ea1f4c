package dev.peregrine.server.exchange.state;

import dev.peregrine.http.ContentType;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a request and its response: the seam between {@code Exchange}, which implements
 * their semantics (RFC 9110), and a protocol, which implements their form on the connection. A
 * stream creates its exchange, and both are reused together.
 *
 * <p>A stream frames the content that it is given and writes it when the protocol can, possibly
 * later and in pieces. It alone decides whether the connection continues. All methods are called on
 * the loop's thread in a turn of the connection, except {@link #takeField}.
 *
 * <p>The protocol in turn fills the head, begins the exchange, passes request content to {@code
 * RequestContent}, and reports events of the connection. See docs/designs/http-stream.md.
 */
public abstract class HttpStream {
  /** In place of a content length: the content ends with {@link #end}. */
  public static final long UNKNOWN_LENGTH = -1;

  /** In place of a content length: the response has no content and declares no length. */
  public static final long NO_CONTENT = -2;

  /** The length up to which content that is given with a head is copied before the call returns. */
  public static final int COPIED_CONTENT_BYTES_MAX = 1024;

  /** The content that follows a response head. */
  public enum Rest {
    /** No content follows: the response is complete. */
    NOTHING,
    /** All content follows in the same turn, then {@link HttpStream#end}. */
    AT_ONCE,
    /** Content follows as the application produces it, then {@link HttpStream#end}. */
    LATER
  }

  private @Nullable ExchangeUse use; // of its exchange

  /** The stream has created its exchange. */
  final void carry(ExchangeUse carried) {
    use = carried;
  }

  /** Returns true if the stream, which rests, may serve another request. */
  public final boolean isReusable() {
    return Objects.requireNonNull(use).isOwned();
  }

  // ---- the response ----

  /**
   * Offers a field that the application sets. Returns true if the protocol takes it and it isn't
   * sent as a line: a field of the connection (RFC 9110 section 7.6.1). On any thread.
   *
   * @throws IllegalArgumentException if the application may not set the field to this value
   */
  public abstract boolean takeField(String name, String value);

  /**
   * Checks the fields that only a server may set, in every version. Returns true for {@code
   * Connection: close}.
   *
   * @throws IllegalArgumentException if the application may not set the field to this value
   */
  protected static boolean takeConnectionField(String name, String value) {
    if (name.equalsIgnoreCase(HeaderName.TRANSFER_ENCODING)) {
      throw new IllegalArgumentException("Transfer-Encoding is set by the server");
    }
    if (!name.equalsIgnoreCase(HeaderName.CONNECTION)) {
      return false;
    }
    FieldLines.check(name, value);
    if (!value.equalsIgnoreCase("close")) {
      throw new IllegalArgumentException("Connection is set by the server, except for \"close\"");
    }
    return true;
  }

  /** Sends an interim response (RFC 9110 section 15.2), unless the client can't understand one. */
  public abstract void interim(int status, FieldLines fields);

  /**
   * Sends the head of the response, and its content if that is given. Called once.
   *
   * @param length the content's length in bytes, {@link #UNKNOWN_LENGTH} or {@link #NO_CONTENT}
   * @param content all of the content: as many of the array's first bytes as the length declares,
   *     not to be changed until they are sent; null if content follows, or without content
   */
  public abstract void head(
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      byte @Nullable [] content,
      Rest rest);

  /** Sends bytes of an array, which isn't changed until they are sent. */
  public abstract void write(byte[] source, int from, int length);

  /** Sends the remaining bytes of a buffer, which isn't changed until they are sent. */
  public abstract void write(ByteBuffer source);

  /** Sends the first of the received bytes, which are valid during the call only. */
  public abstract void write(ReceivedBytes source, int length);

  /**
   * Sends the first bytes of a block of the loop's memory. Takes the block over unless it fails.
   */
  public abstract void write(Block source, int length);

  /** Sends a part of a file. Takes over one use of the file, also if it fails. */
  public abstract void write(OpenFile source, long position, long length) throws IOException;

  /** Ends a response whose content followed the head. */
  public abstract void end(FieldLines trailers);

  /** Sends the written bytes as soon as the protocol can, instead of at the end of the turn. */
  public abstract void flush();

  /**
   * Returns true if the stream may be written to now. If not, {@code Exchange.onWritable} is called
   * once it may.
   */
  public abstract boolean requestRoom();

  /**
   * Tries to send the written bytes if they are above the high-water mark. Returns true if more may
   * be written.
   */
  public abstract boolean makeRoom() throws IOException;

  /** Ends the response before it is complete, so that the client can't take it for complete. */
  public abstract void breakOff(CloseReason reason);

  /** Sends the last head of HTTP (101, or 200 to CONNECT) and makes a tunnel for its user. */
  public abstract void handOver(
      int status, @Nullable ContentType type, FieldLines fields, TunnelUser user);

  // ---- the request's content ----

  /** Lets the client send its content, because the exchange takes it from now on. */
  public abstract void demand();

  /**
   * Stops reading the content, because the exchange has broken it off. The response isn't affected.
   */
  public abstract void stopReading();

  // ---- the client and the connection ----

  /** Returns true if the client has ended its side. */
  public abstract boolean isClientEnded();

  /** Has {@code Exchange.onClientEnd} called as soon as the client ends its side. */
  public abstract void watchClientEnd();

  /**
   * A callback of the application for this exchange is about to be called. Does nothing by default.
   */
  public void onCall() {}

  /**
   * Work that the application was doing for the exchange when it was abandoned has ended. Does
   * nothing by default.
   */
  public void onWorkEnded() {}

  /** Sheds load after this exchange, because the loop has run out of memory. */
  public abstract void shedLoad();
}
