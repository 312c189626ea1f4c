package dev.peregrine.http.coding;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Negotiation;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compresses a handler's responses for clients that prefer it (RFC 9110 section 12.5.3), with gzip
 * unless other codings are set.
 *
 * <pre>{@code
 * Handler compressed = Compression.of(routes);
 * Handler fast = Compression.builder(routes).codings(ContentCoding.gzip(1)).bytesMin(4096).build();
 * }</pre>
 *
 * <p>Compresses responses of a compressible type that are long enough or of unknown length. Leaves
 * alone those that have a Content-Encoding or Content-Range, contain {@code Cache-Control:
 * no-transform}, are files ({@link Response#send(java.nio.channels.FileChannel, long, long)}: keep
 * those compressed beside the plain ones, for {@code StaticFiles}), or have the status 204, 205,
 * 206 or 304. Where the choice depends on the client, {@code Accept-Encoding} is added to Vary. So
 * it is for a 206, whose whole content might be compressed. Entity tags of compressed content
 * become weak because the bytes differ. A 304 has the ETag and Vary of the 200 that it replaces if
 * the handler sends it by {@link Response#sendNotModified}, as {@code StaticFiles} does. Otherwise
 * the content is taken for compressible unless the response has a type that isn't. It can't know
 * that the 200 would find too many encoders in use, or its content incompressible.
 *
 * <p>Content of up to 64 KiB that is sent whole keeps a length; larger content is compressed piece
 * by piece as the client takes it, so that no event loop is busy with it for long. A handler that
 * throws after it has sent larger content cuts it off. Flushing a stream flushes the compressor,
 * which costs some compression.
 *
 * <p>HEAD gets the fields of GET (RFC 9110 section 9.3.2), so content that the handler sends for
 * HEAD is compressed for its length. A handler may leave the content out and declare its length
 * instead. Then a response with a Content-Encoding has no length, because only the content would
 * show it.
 *
 * <p>A secret and text that a client can choose must not be compressed in one response, or its
 * length reveals the secret (BREACH): see {@code docs/SECURITY.md}. Thread-safe.
 */
public final class Compression implements Handler {
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

  private final int bytesMin;
  private final Predicate<String> types;
  private final Handler handler;
  private final List<EncoderPool> pools =
      new ArrayList<>(); // one per coding, the preferred one first
  private final String[] names;
  private final AtomicInteger encodersInUse = new AtomicInteger();

  private Compression(Builder options) {
    this.handler = options.handler;
    this.bytesMin = options.bytesMin;
    this.types = options.types;
    for (ContentCoding coding : options.codings) {
      pools.add(new EncoderPool(coding, encodersInUse, options.encodersMax));
    }
    this.names = pools.stream().map(EncoderPool::coding).toArray(String[]::new);
  }

  /** Returns the number of encoders on loan. */
  int encodersInUse() {
    return encodersInUse.get();
  }

  /** Compresses with the defaults of {@link Builder}. */
  public static Compression of(Handler handler) {
    return builder(handler).build();
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  /**
   * Returns true if content of a media type is known to get smaller by compression: text except for
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
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    EncoderPool pool = pool(Negotiation.coding(request, names));
    ResponseFacts facts = new ResponseFacts(response, bytesMin, types);
    boolean head = request.method() == HttpMethod.HEAD;
    CompressedResponse compressed =
        new CompressedResponse(response, new CodedContent(response, facts, head, pool));
    try {
      handler.handle(request, compressed);
      compressed.afterHandler();
    } catch (Throwable failure) {
      compressed.abandon();
      throw failure;
    }
  }

  private @Nullable EncoderPool pool(@Nullable String coding) {
    for (EncoderPool pool : pools) {
      if (pool.coding().equals(coding)) {
        return pool;
      }
    }
    return null;
  }

  /**
   * Options for compression. A value out of its range throws {@link IllegalArgumentException}. Not
   * thread-safe.
   */
  public static final class Builder {
    private static final ContentCoding DEFAULT = ContentCoding.gzip(4);

    private final Handler handler;
    private List<ContentCoding> codings = List.of(DEFAULT);
    private int bytesMin = 1024;
    private int encodersMax = 256;
    private Predicate<String> types = Compression::isCompressible;

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Sets the codings to compress with; {@code ContentCoding.gzip(4)} by default. Of those that a
     * client weighs equally, which is the common case, the first is used. One encoder of each is
     * created at once, so that a coding whose library is missing fails here and not in a response.
     *
     * @throws IllegalArgumentException without a coding, or for two of one name
     */
    public Builder codings(ContentCoding... preferredFirst) {
      List<ContentCoding> chosen = List.of(preferredFirst);
      long names = chosen.stream().map(ContentCoding::name).distinct().count();
      if (chosen.isEmpty() || names < chosen.size()) {
        throw new IllegalArgumentException("codings must be one or more of different names");
      }
      chosen.forEach(coding -> coding.newEncoder().close());
      codings = chosen;
      return this;
    }

    /** Sets the least length of compressed content in bytes; 1,024 by default. */
    public Builder bytesMin(int bytes) {
      Range.checkAtLeast("bytesMin", bytes, 0);
      bytesMin = bytes;
      return this;
    }

    /**
     * Sets how many responses are compressed at a time, by all codings together; 256 by default.
     * Each takes native memory until it is complete, about 256 KiB with gzip. Further responses are
     * sent without compression.
     */
    public Builder encodersMax(int count) {
      Range.checkAtLeast("encodersMax", count, 0);
      encodersMax = count;
      return this;
    }

    /**
     * Sets the media types to compress, in lower case, without parameters; see {@link
     * #isCompressible}.
     */
    public Builder types(Predicate<String> compressible) {
      types = Objects.requireNonNull(compressible);
      return this;
    }

    /** Returns the handler that compresses. */
    public Compression build() {
      return new Compression(this);
    }
  }
}
