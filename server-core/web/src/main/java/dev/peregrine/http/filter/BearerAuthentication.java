package dev.peregrine.http.filter;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets only requests with a valid token pass (RFC 6750, in the Authorization field). Requests
 * without one get 401; a token that isn't accepted, 401 with {@code error="invalid_token"}; one
 * that can't be a token, 400 with {@code error="invalid_request"}.
 *
 * <pre>{@code
 * static final AttributeKey<User> USER = AttributeKey.of("user");
 * …
 * Handler api = BearerAuthentication.of("api", USER, tokens::verify, routes);
 * }</pre>
 *
 * <p>A token has at most 8,192 characters. Use this over TLS only. Runs where its caller runs it:
 * if tokens are looked up in a database, put {@code Handlers.blocking} around it. Thread-safe if
 * the tokens are.
 *
 * @param <U> the type of the users
 */
public final class BearerAuthentication<U> implements Handler {
  private static final String SCHEME = "Bearer";
  private static final int TOKEN_MAX = 8192;

  private final String challenge;
  private final AttributeKey<U> key;
  private final Tokens<? extends U> tokens;
  private final Handler handler;

  /**
   * The tokens that an application accepts.
   *
   * @param <U> the type of their users
   */
  @FunctionalInterface
  public interface Tokens<U> {
    /**
     * Returns the user of a token; null if it isn't valid. Compares secrets by {@link
     * Secrets#areEqual}.
     *
     * @param token letters, digits and {@code - . _ ~ + / =}, not empty
     * @throws Exception as a handler throws it, such as an {@code HttpException} with 403 for a
     *     token that doesn't suffice
     */
    @Nullable U find(String token) throws Exception;
  }

  private BearerAuthentication(
      String realm, AttributeKey<U> key, Tokens<? extends U> tokens, Handler handler) {
    this.challenge = Authorization.challenge(SCHEME, realm);
    this.key = Objects.requireNonNull(key);
    this.tokens = Objects.requireNonNull(tokens);
    this.handler = Objects.requireNonNull(handler);
  }

  /**
   * Creates the filter.
   *
   * @param realm names what the token is for; visible ASCII characters and spaces, without quotes
   *     and backslashes
   * @param key under which the user is attached to the request
   * @throws IllegalArgumentException if the realm has other characters
   */
  public static <U> BearerAuthentication<U> of(
      String realm, AttributeKey<U> key, Tokens<? extends U> tokens, Handler handler) {
    return new BearerAuthentication<>(realm, key, tokens, handler);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String token = Authorization.credentials(request, SCHEME, TOKEN_MAX);
    if (token == null) {
      throw Authorization.unauthorized("a token is required", challenge);
    }
    if (!isToken(token)) {
      throw Authorization.rejection(
          HttpStatus.BAD_REQUEST,
          "the token is malformed",
          challenge + ", error=\"invalid_request\"");
    }
    U user = tokens.find(token);
    if (user == null) {
      throw Authorization.unauthorized(
          "the token is not valid", challenge + ", error=\"invalid_token\"");
    }
    handler.handle(request.attribute(key, user), response);
  }

  /** Returns true for a b64token (RFC 6750 section 2.1). */
  private static boolean isToken(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '=') {
      end--;
    }
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && "-._~+/".indexOf(c) < 0) {
        return false;
      }
    }
    return end > 0;
  }
}
