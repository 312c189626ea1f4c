package dev.peregrine.http.filter;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.proxy.TrustedPeers;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request an id, for log lines and for requests to other services: an attribute of the
 * request, and {@code X-Request-ID} of the response.
 *
 * <pre>{@code
 * Handler app = RequestId.of(routes);
 * …
 * String id = request.attribute(RequestId.KEY);
 * }</pre>
 *
 * <p>Ids are 32 hexadecimal digits. No two of a process are the same; ids of different processes
 * have different random beginnings. An id is no secret. An id that a request brings is used only if
 * a trusted peer has sent it, and if it has 1 to 128 characters of {@code A-Z a-z 0-9 - . _ : + /
 * =}. Thread-safe.
 */
public final class RequestId implements Handler {
  /**
   * The id of a request, for the handlers inside the filter and for listeners of exchanges. It
   * stands in the log line of a handler that fails.
   */
  public static final AttributeKey<String> KEY = AttributeKey.logged("request id", id -> id);

  private static final int LENGTH_MAX = 128;
  private static final HexFormat HEX = HexFormat.of();

  private final Handler handler;
  private final @Nullable TrustedPeers trusted; // null for none
  private final String processDigits;
  private final AtomicLong count;

  private RequestId(Handler handler, @Nullable TrustedPeers trusted) {
    this.handler = Objects.requireNonNull(handler);
    this.trusted = trusted;
    SecureRandom random = new SecureRandom();
    processDigits = HEX.toHexDigits(random.nextLong());
    count = new AtomicLong(random.nextLong());
  }

  /** Creates an id for each request, whatever it brings. */
  public static RequestId of(Handler handler) {
    return new RequestId(handler, null);
  }

  /**
   * Takes the ids of those peers, and creates the others.
   *
   * @param peers the proxies that remove {@code X-Request-ID} from the requests of their clients,
   *     or replace it; compared with {@link Request#peerAddress}
   */
  public static RequestId trusting(TrustedPeers peers, Handler handler) {
    return new RequestId(handler, Objects.requireNonNull(peers));
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String given = given(request);
    String id = given == null ? create() : given;
    request.attribute(KEY, id);
    handler.handle(request, response.header(HeaderName.X_REQUEST_ID, id));
  }

  private @Nullable String given(Request request) {
    if (trusted == null
        || !request.hasHeader(KnownHeader.X_REQUEST_ID)
        || !trusted.contains(request.peerAddress())) {
      return null;
    }
    List<String> ids = request.headers(HeaderName.X_REQUEST_ID);
    return ids.size() == 1 && isValid(ids.getFirst()) ? ids.getFirst() : null;
  }

  private static boolean isValid(String id) {
    return !id.isEmpty() && id.length() <= LENGTH_MAX && id.chars().allMatch(RequestId::isInId);
  }

  private static boolean isInId(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._:+/=".indexOf(c) >= 0;
  }

  private String create() {
    return processDigits + HEX.toHexDigits(mix(count.getAndIncrement()));
  }

  /** Returns another number for each number, without an order that can be seen (SplitMix64). */
  private static long mix(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
