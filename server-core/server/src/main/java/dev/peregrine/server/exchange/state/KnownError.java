package dev.peregrine.server.exchange.state;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.HttpError;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.HandshakeFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An error response of the server that needs no request. Its plain content is encoded once, because
 * rejecting bytes must not allocate.
 *
 * @param error for the application's renderer
 * @param plain the content without such a renderer
 * @param rejection the rule that was broken, if it is one of the grammar or a limit
 */
public record KnownError(HttpError error, ErrorContent plain, @Nullable Rejection rejection) {
  public static final KnownError HEAD_CUT_SHORT =
      of(400, "the stream ended within the request head");
  public static final KnownError HTTP_2_ONLY = of(400, "this endpoint serves only HTTP/2");
  public static final KnownError PLAIN_HTTP = of(400, HandshakeFailure.PLAIN_HTTP.text());
  public static final KnownError HEAD_TOO_SLOW = of(408, "the request head took too long");
  public static final KnownError TOO_MANY_CONNECTIONS = of(503, "too many connections");
  public static final KnownError OUT_OF_MEMORY = of(503, null);

  private static final Map<Rejection, KnownError> BY_REJECTION = new EnumMap<>(Rejection.class);

  static {
    for (Rejection rejection : Rejection.values()) {
      BY_REJECTION.put(rejection, of(rejection.status(), rejection.text(), rejection));
    }
  }

  /** Returns the error for a reason to reject a request. */
  public static KnownError of(Rejection rejection) {
    return Objects.requireNonNull(BY_REJECTION.get(rejection));
  }

  private static KnownError of(int status, @Nullable String detail) {
    return of(status, detail, null);
  }

  private static KnownError of(int status, @Nullable String detail, @Nullable Rejection rejection) {
    HttpError error = new HttpError(status, HttpError.titleOf(status), detail, null, null);
    return new KnownError(error, ErrorContent.plain(error), rejection);
  }
}
