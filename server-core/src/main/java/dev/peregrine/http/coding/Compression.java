package dev.peregrine.http.coding;

import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.Negotiation;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compresses a handler's responses with gzip for clients that prefer it (RFC 9110 section 12.5.3).
 *
 * <pre>{@code
 * HttpHandler compressed = Compression.of(routes);
 * HttpHandler fast = Compression.builder(routes).level(1).bytesMin(4096).build();
 * }</pre>
 *
 * <p>Compressed are responses of a compressible type and some size, or of unknown size. Left alone
 * are those that have a Content-Encoding or Content-Range, say {@code Cache-Control: no-transform},
 * are files ({@link HttpResponse#send(java.nio.channels.FileChannel, long, long)}: keep those
 * compressed beside the plain ones, for {@code StaticFiles}), or have the status 204, 205, 206 or
 * 304. Where the choice depends on the client, {@code Accept-Encoding} is added to Vary. Entity
 * tags become weak, since what they stood for are other bytes; 304 says them as the response did
 * that it stands for.
 *
 * <p>Content of up to 64 KiB that is sent whole keeps a length; larger content is compressed piece
 * by piece as the client takes it, so that no event loop is busy with it for long. Flushing a
 * stream flushes the compressor, which costs some compression.
 *
 * <p>A secret and text that a client can choose must not be compressed in one response, or its
 * length tells the secret (BREACH): see {@code docs/SECURITY.md}. Thread-safe.
 */
public final class Compression implements HttpHandler {
  private static final Set<String> COMPRESSIBLE =
      Set.of(
          "application/javascript",
          "application/json",
          "application/manifest+json",
          "application/rtf",
          "application/wasm",
          "application/x-ndjson",
          "application/xml",
          "font/otf",
          "font/ttf",
          "image/bmp",
          "image/vnd.microsoft.icon");

  final EncoderPool encoders;
  final int bytesMin;
  final Predicate<String> types;
  private final HttpHandler handler;

  private Compression(Builder options) {
    this.handler = options.handler;
    this.bytesMin = options.bytesMin;
    this.types = options.types;
    this.encoders = new EncoderPool(options.level, options.encodersMax);
  }

  /** Compresses with the defaults of {@link Builder}. */
  public static Compression of(HttpHandler handler) {
    return builder(handler).build();
  }

  /** Options for compressing a handler's responses. */
  public static Builder builder(HttpHandler handler) {
    return new Builder(handler);
  }

  /**
   * Whether content of a media type gets smaller by compression, as far as is known: text but for
   * event streams, JSON, XML, and a few more.
   *
   * @param mediaType in lower case, without parameters
   */
  public static boolean isCompressible(String mediaType) {
    return COMPRESSIBLE.contains(mediaType)
        || (mediaType.startsWith("text/") && !mediaType.equals("text/event-stream"))
        || mediaType.endsWith("+json")
        || mediaType.endsWith("+xml");
  }

  @Override
  public void handle(HttpRequest request, HttpResponse response) throws Exception {
    boolean accepted = "gzip".equals(Negotiation.coding(request, "gzip"));
    CompressedResponse compressed = new CompressedResponse(this, request, response, accepted);
    try {
      handler.handle(request, compressed);
    } catch (Throwable failure) {
      compressed.abandon();
      throw failure;
    }
  }

  /**
   * How responses are compressed. What is out of its range throws {@link IllegalArgumentException}.
   * Not thread-safe.
   */
  public static final class Builder {
    private static final int LEVEL_MAX = 9;

    private final HttpHandler handler;
    private int level = 4;
    private int bytesMin = 1024;
    private int encodersMax = 256;
    private Predicate<String> types = Compression::isCompressible;

    private Builder(HttpHandler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /** Effort, 1 (fastest) to 9 (smallest); 4 by default. */
    public Builder level(int effort) {
      level = inRange("level", effort, 1, LEVEL_MAX);
      return this;
    }

    /** Length of content in bytes from which on it is compressed; 1,024 by default. */
    public Builder bytesMin(int bytes) {
      bytesMin = inRange("bytesMin", bytes, 0, Integer.MAX_VALUE);
      return this;
    }

    /**
     * How many responses are compressed at a time; 256 by default. Each takes about 256 KiB of
     * native memory as long as it is under way. Others are sent as they are.
     */
    public Builder encodersMax(int count) {
      encodersMax = inRange("encodersMax", count, 0, Integer.MAX_VALUE);
      return this;
    }

    /** Media types to compress, in lower case, without parameters; see {@link #isCompressible}. */
    public Builder types(Predicate<String> compressible) {
      types = Objects.requireNonNull(compressible);
      return this;
    }

    /** The handler that compresses. */
    public Compression build() {
      return new Compression(this);
    }

    private static int inRange(String option, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + " is " + value + ", but must be " + least + " to " + most);
      }
      return value;
    }
  }
}
