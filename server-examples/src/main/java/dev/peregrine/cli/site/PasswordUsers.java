package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.AuthRule;
import dev.peregrine.cli.rules.PasswordFile;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.filter.BasicAuthentication;
import dev.peregrine.http.filter.RateLimit;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The users of a file, and the requests that are theirs. A password is hashed once: afterwards its
 * digest is known, under a key that ends with the process. Each hash costs a client one of its
 * attempts, of which it has ten, and ten more each minute; and no more are made at a time than half
 * of the processors can do. Thread-safe.
 */
final class PasswordUsers {
  /** The name of the user, attached to requests that are a user's. */
  static final AttributeKey<String> USER = AttributeKey.of("user");

  private static final AttributeKey<Handler> NEXT = AttributeKey.of("next");
  private static final int ATTEMPTS = 10;
  private static final int WAITING_MAX = 32;
  private static final int KNOWN_MAX = 10_000;
  private static final int KEY_BYTES = 32;

  private final PasswordFile file;
  private final byte[] key = new byte[KEY_BYTES];
  private final Map<String, String> known = new ConcurrentHashMap<>(); // by digest
  private final Semaphore processors =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  private final Semaphore places = new Semaphore(WAITING_MAX);
  private final Handler challenge;
  private final Handler attempt;

  PasswordUsers(AuthRule rule) {
    file = rule.users();
    new SecureRandom().nextBytes(key);
    challenge = BasicAuthentication.of("Restricted", USER, this::find, new Remember());
    attempt =
        RateLimit.builder(Handlers.blocking(this::check))
            .requests(ATTEMPTS, Duration.ofMinutes(1))
            .name("password")
            .build();
  }

  /** Calls a handler if the request is a user's; responds with 401 or 429 otherwise. */
  void handle(Request request, Response response, Handler next) throws Exception {
    if (!request.hasHeader(KnownHeader.AUTHORIZATION)) {
      challenge.handle(request, response);
      return;
    }
    String digest = digest(request);
    String user = digest == null ? null : known.get(digest);
    if (user != null) {
      next.handle(request.attribute(USER, user), response);
    } else {
      attempt.handle(request.attribute(NEXT, next), response);
    }
  }

  /** Hashes a password; a failure goes to the response, which may have a page for it. */
  private void check(Request request, Response response) {
    try {
      challenge.handle(request, response);
    } catch (Exception failure) {
      response.fail(failure);
    }
  }

  private @Nullable String digest(Request request) {
    List<String> values = request.headers(HeaderName.AUTHORIZATION);
    if (values.size() != 1) {
      return null;
    }
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(key);
      byte[] value = values.getFirst().getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(sha256.digest(value));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private @Nullable String find(String name, String password) throws InterruptedException {
    if (!places.tryAcquire()) {
      throw new HttpException(
              HttpStatus.TOO_MANY_REQUESTS.code(), "too many passwords are being checked")
          .header(HeaderName.RETRY_AFTER, "5");
    }
    try {
      processors.acquire();
      try {
        return file.find(name, password);
      } finally {
        processors.release();
      }
    } finally {
      places.release();
    }
  }

  /** Continues after a password that was right. */
  private final class Remember implements Handler {
    @Override
    public void handle(Request request, Response response) throws Exception {
      String digest = digest(request);
      if (digest != null) {
        if (known.size() >= KNOWN_MAX) {
          known.clear();
        }
        known.put(digest, Objects.requireNonNull(request.attribute(USER)));
      }
      Objects.requireNonNull(request.attribute(NEXT)).handle(request, response);
    }
  }
}
