package dev.peregrine.http.filter;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets only requests with the name and password of a user pass (HTTP Basic, RFC 7617). Others get
 * 401 with a challenge.
 *
 * <pre>{@code
 * static final AttributeKey<User> USER = AttributeKey.of("user");
 * …
 * Handler admin = BasicAuthentication.of("admin", USER, users::verify, routes);
 * }</pre>
 *
 * <p>Credentials are UTF-8, and at most 1,024 characters of Base64. Passwords are sent as they are,
 * so use this over TLS only. Runs where its caller runs it: if users are looked up in a database,
 * put {@code Handlers.blocking} around it. Thread-safe if the users are.
 *
 * @param <U> the type of the users
 */
public final class BasicAuthentication<U> implements Handler {
  private static final String SCHEME = "Basic";
  private static final int CREDENTIALS_MAX = 1024;

  private final String challenge;
  private final AttributeKey<U> key;
  private final Users<? extends U> users;
  private final Handler handler;

  /**
   * The users of an application.
   *
   * @param <U> their type
   */
  @FunctionalInterface
  public interface Users<U> {
    /**
     * Returns the user of that name and password; null if there is none. Compares secrets by {@link
     * Secrets#areEqual}, or better by a hash function for passwords.
     *
     * @param name without colons and control characters; may be empty
     * @param password without control characters; may be empty
     * @throws Exception as a handler throws it
     */
    @Nullable U find(String name, String password) throws Exception;
  }

  private BasicAuthentication(
      String realm, AttributeKey<U> key, Users<? extends U> users, Handler handler) {
    this.challenge = Authorization.challenge(SCHEME, realm) + ", charset=\"UTF-8\"";
    this.key = Objects.requireNonNull(key);
    this.users = Objects.requireNonNull(users);
    this.handler = Objects.requireNonNull(handler);
  }

  /**
   * Creates the filter.
   *
   * @param realm names for users what they log in to; visible ASCII characters and spaces, without
   *     quotes and backslashes
   * @param key under which the user is attached to the request
   * @throws IllegalArgumentException if the realm has other characters
   */
  public static <U> BasicAuthentication<U> of(
      String realm, AttributeKey<U> key, Users<? extends U> users, Handler handler) {
    return new BasicAuthentication<>(realm, key, users, handler);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String credentials = Authorization.credentials(request, SCHEME, CREDENTIALS_MAX);
    String decoded = credentials == null ? null : decode(credentials);
    U user = decoded == null ? null : find(decoded);
    if (user == null) {
      String reason =
          decoded == null
              ? "a name and a password are required"
              : "the name or the password is wrong";
      throw Authorization.unauthorized(reason, challenge);
    }
    handler.handle(request.attribute(key, user), response);
  }

  private @Nullable U find(String decoded) throws Exception {
    int colon = decoded.indexOf(':');
    boolean valid = colon >= 0 && decoded.chars().noneMatch(Character::isISOControl);
    return valid ? users.find(decoded.substring(0, colon), decoded.substring(colon + 1)) : null;
  }

  private static @Nullable String decode(String credentials) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(credentials));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (IllegalArgumentException | CharacterCodingException malformed) {
      return null;
    }
  }
}
