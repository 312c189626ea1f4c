package dev.peregrine.http.coding;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.inflate.DecodingBudget;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.ListSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Decodes compressed content of requests (RFC 9110 section 8.4) before a handler reads it: gzip,
 * and deflate in its zlib format.
 *
 * <pre>{@code
 * Handler handler = Decompression.of(Handlers.blocking(upload));
 * Handler small = Decompression.builder(handler).bytesMax(1_000_000).build();
 * }</pre>
 *
 * <p>The handler sees no Content-Encoding and no Content-Length, and a body of unknown length. Its
 * limits count decoded bytes; the server limits the received ones. Content is decoded piece by
 * piece as it is taken, and more decoded bytes than the limit get 413: a bomb costs no more than
 * that. Content that is corrupt or incomplete, or that is followed by other bytes, gets 400. A
 * reader of {@link dev.peregrine.http.RequestBody#inputStream} gets these as {@link
 * dev.peregrine.http.HttpException}.
 *
 * <p>Other codings, and more than one, get 415 with the accepted codings in Accept-Encoding (RFC
 * 9110 section 12.5.3). Decoding runs on the thread that takes the content. Thread-safe.
 */
public final class Decompression implements Handler {
  private static final String ACCEPTED = "gzip, deflate";

  private final Handler handler;
  private final long bytesMax;

  private Decompression(Builder options) {
    this.handler = options.handler;
    this.bytesMax = options.bytesMax;
  }

  /** Decodes with the defaults of {@link Builder}. */
  public static Decompression of(Handler handler) {
    return builder(handler).build();
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (!request.hasHeader(KnownHeader.CONTENT_ENCODING) || request.body().length() == 0) {
      handler.handle(request, response);
      return;
    }
    List<String> codings = codings(request);
    String coding = codings.size() == 1 ? codings.getFirst() : "";
    boolean gzip = coding.equals("gzip") || coding.equals("x-gzip");
    if (codings.isEmpty()) {
      handler.handle(request, response);
    } else if (gzip || coding.equals("deflate")) {
      DecodingBudget budget = new DecodingBudget(bytesMax);
      DecodedBody body = new DecodedBody(request.body(), response, gzip, budget);
      handler.handle(new DecodedRequest(request, body), response);
    } else {
      response.fail(
          new HttpException(415, "content can be encoded by one of " + ACCEPTED)
              .header(HeaderName.ACCEPT_ENCODING, ACCEPTED));
    }
  }

  /** Returns the codings in the order they were applied, without identity. */
  private static List<String> codings(Request request) {
    List<String> codings = new ArrayList<>();
    for (String line : request.headers(HeaderName.CONTENT_ENCODING)) {
      for (String element : ListSyntax.split(line, ',')) {
        String coding = element.toLowerCase(Locale.ROOT);
        if (!coding.equals("identity")) {
          codings.add(coding);
        }
      }
    }
    return codings;
  }

  /**
   * Options for decoding. A value out of its range throws {@link IllegalArgumentException}. Not
   * thread-safe.
   */
  public static final class Builder {
    private final Handler handler;
    private long bytesMax = 30_000_000;

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Sets the largest decoded content in bytes, unless {@link
     * dev.peregrine.http.RequestBody#maxBytes} sets another limit; 30,000,000 by default.
     */
    public Builder bytesMax(long bytes) {
      Range.checkAtLeast("bytesMax", bytes, 0);
      bytesMax = bytes;
      return this;
    }

    /** Returns the handler that decodes. */
    public Decompression build() {
      return new Decompression(this);
    }
  }
}
