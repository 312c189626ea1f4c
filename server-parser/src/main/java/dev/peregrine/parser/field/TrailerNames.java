package dev.peregrine.parser.field;

import dev.peregrine.protocol.KnownHeader;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that a trailer section can have. Fields with other names are dropped. */
public final class TrailerNames {
  /**
   * Fields that RFC 9110 section 6.5.1 excludes: framing, routing, authentication, request
   * modifiers, content format; and the fields by which a proxy identifies its client.
   */
  private static final Set<KnownHeader> FORBIDDEN =
      EnumSet.of(
          KnownHeader.AUTHORIZATION,
          KnownHeader.CACHE_CONTROL,
          KnownHeader.CONNECTION,
          KnownHeader.CONTENT_DISPOSITION,
          KnownHeader.CONTENT_ENCODING,
          KnownHeader.CONTENT_LANGUAGE,
          KnownHeader.CONTENT_LENGTH,
          KnownHeader.CONTENT_LOCATION,
          KnownHeader.CONTENT_RANGE,
          KnownHeader.CONTENT_TYPE,
          KnownHeader.COOKIE,
          KnownHeader.EXPECT,
          KnownHeader.FORWARDED,
          KnownHeader.HOST,
          KnownHeader.IF_MATCH,
          KnownHeader.IF_MODIFIED_SINCE,
          KnownHeader.IF_NONE_MATCH,
          KnownHeader.IF_RANGE,
          KnownHeader.IF_UNMODIFIED_SINCE,
          KnownHeader.KEEP_ALIVE,
          KnownHeader.MAX_FORWARDS,
          KnownHeader.ORIGIN,
          KnownHeader.PRAGMA,
          KnownHeader.PROXY_AUTHORIZATION,
          KnownHeader.PROXY_CONNECTION,
          KnownHeader.RANGE,
          KnownHeader.TE,
          KnownHeader.TRAILER,
          KnownHeader.TRANSFER_ENCODING,
          KnownHeader.UPGRADE,
          KnownHeader.VIA,
          KnownHeader.X_FORWARDED_FOR,
          KnownHeader.X_FORWARDED_HOST,
          KnownHeader.X_FORWARDED_PROTO);

  private TrailerNames() {}

  /**
   * Returns true if a trailer section can have a field with this name, which is null if it is not a
   * known one.
   */
  public static boolean isPermitted(@Nullable KnownHeader name) {
    return name == null || !FORBIDDEN.contains(name);
  }
}
