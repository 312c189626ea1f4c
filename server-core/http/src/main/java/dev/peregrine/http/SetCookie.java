package dev.peregrine.http;

import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HttpDate;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cookie to be set by {@link Response#setCookie} (RFC 6265 section 4.1). Immutable: each method
 * returns another cookie. An invalid value throws {@link IllegalArgumentException}, which doesn't
 * repeat the value.
 *
 * <pre>{@code
 * response.setCookie(
 *     SetCookie.of("session", id).path("/").secure().httpOnly().sameSite(SetCookie.SameSite.LAX));
 * }</pre>
 */
public final class SetCookie {
  /** Requests from other sites to which browsers add the cookie (RFC 6265bis section 5.6.7). */
  public enum SameSite {
    /** None. */
    STRICT("Strict"),
    /** Those that open a page. */
    LAX("Lax"),
    /** All; the cookie must be {@link SetCookie#secure}. */
    NONE("None");

    private final String text;

    SameSite(String text) {
      this.text = text;
    }
  }

  private static final Pattern VALUE =
      Pattern.compile("[\\x21\\x23-\\x2B\\x2D-\\x3A\\x3C-\\x5B\\x5D-\\x7E]*");
  private static final Pattern PATH = Pattern.compile("/[\\x20-\\x3A\\x3C-\\x7E]*");
  private static final int DOMAIN_LENGTH_MAX = 253; // RFC 1035 section 2.3.4
  private static final Pattern DOMAIN =
      Pattern.compile(
          "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");
  private static final Instant EXPIRES_MIN = Instant.parse("1601-01-01T00:00:00Z");
  private static final Instant EXPIRES_MAX = Instant.parse("9999-12-31T23:59:59Z");

  private final String name;
  private final String value;
  private final @Nullable String path;
  private final @Nullable String domain;
  private final @Nullable Duration maxAge;
  private final @Nullable Instant expires;
  private final boolean secure;
  private final boolean httpOnly;
  private final @Nullable SameSite sameSite;

  private SetCookie(
      String name,
      String value,
      @Nullable String path,
      @Nullable String domain,
      @Nullable Duration maxAge,
      @Nullable Instant expires,
      boolean secure,
      boolean httpOnly,
      @Nullable SameSite sameSite) {
    this.name = name;
    this.value = value;
    this.path = path;
    this.domain = domain;
    this.maxAge = maxAge;
    this.expires = expires;
    this.secure = secure;
    this.httpOnly = httpOnly;
    this.sameSite = sameSite;
  }

  /**
   * Returns a cookie that lasts as long as the browser's session, for the host that sets it.
   *
   * @param name a token
   * @param value visible ASCII without quotes, commas, semicolons and backslashes; encode others
   * @throws IllegalArgumentException if one of them isn't that
   */
  public static SetCookie of(String name, String value) {
    require(FieldSyntax.isToken(name), "name");
    require(VALUE.matcher(value).matches(), "value");
    return new SetCookie(name, value, null, null, null, null, false, false, null);
  }

  /** Sets the path that the cookie is for, including all paths below it. */
  public SetCookie path(String prefix) {
    require(PATH.matcher(prefix).matches(), "path");
    return new SetCookie(name, value, prefix, domain, maxAge, expires, secure, httpOnly, sameSite);
  }

  /** Sets the domain that the cookie is for, including all its hosts. */
  public SetCookie domain(String host) {
    require(host.length() <= DOMAIN_LENGTH_MAX && DOMAIN.matcher(host).matches(), "domain");
    return new SetCookie(name, value, path, host, maxAge, expires, secure, httpOnly, sameSite);
  }

  /** Sets how long the cookie lasts, in whole seconds; {@link Duration#ZERO} deletes it. */
  public SetCookie maxAge(Duration time) {
    require(!time.isNegative(), "maxAge");
    return new SetCookie(name, value, path, domain, time, expires, secure, httpOnly, sameSite);
  }

  /**
   * Sets when the cookie ends, for clients that don't know {@link #maxAge}, which has precedence.
   */
  public SetCookie expires(Instant at) {
    require(!at.isBefore(EXPIRES_MIN) && !at.isAfter(EXPIRES_MAX), "expires");
    return new SetCookie(name, value, path, domain, maxAge, at, secure, httpOnly, sameSite);
  }

  /** Lets the client send the cookie only over encrypted connections. */
  public SetCookie secure() {
    return new SetCookie(name, value, path, domain, maxAge, expires, true, httpOnly, sameSite);
  }

  /** Hides the cookie from scripts. */
  public SetCookie httpOnly() {
    return new SetCookie(name, value, path, domain, maxAge, expires, secure, true, sameSite);
  }

  /** Sets the requests from other sites that carry the cookie. */
  public SetCookie sameSite(SameSite policy) {
    return new SetCookie(name, value, path, domain, maxAge, expires, secure, httpOnly, policy);
  }

  /** Throws without the value, which may be a secret or a client's. */
  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("not what a cookie's " + what + " can be");
    }
  }

  /**
   * Returns the value of the Set-Cookie field.
   *
   * @throws IllegalStateException if browsers would ignore the cookie: for {@code SameSite=None},
   *     or a name that starts with {@code __Secure-} or {@code __Host-}, without the attributes
   *     that those require
   */
  public String fieldValue() {
    boolean host = name.regionMatches(true, 0, "__Host-", 0, 7);
    boolean needsSecure =
        host || sameSite == SameSite.NONE || name.regionMatches(true, 0, "__Secure-", 0, 9);
    if (needsSecure && !secure) {
      throw new IllegalStateException("cookie " + name + " requires secure()");
    }
    if (host && (domain != null || !"/".equals(path))) {
      throw new IllegalStateException("cookie " + name + " has to have path(\"/\") and no domain");
    }
    return name
        + "="
        + value
        + (path == null ? "" : "; Path=" + path)
        + (domain == null ? "" : "; Domain=" + domain)
        + (maxAge == null ? "" : "; Max-Age=" + maxAge.toSeconds())
        + (expires == null ? "" : "; Expires=" + HttpDate.format(expires.getEpochSecond()))
        + (secure ? "; Secure" : "")
        + (httpOnly ? "; HttpOnly" : "")
        + (sameSite == null ? "" : "; SameSite=" + sameSite.text);
  }

  /** Returns the cookie's name only, because its value may be a secret. */
  @Override
  public String toString() {
    return name;
  }
}
