package dev.peregrine.server.websocket.deflate;

import static dev.peregrine.server.websocket.deflate.DeflateParameters.CLIENT_MAX_WINDOW_BITS;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.CLIENT_NO_CONTEXT_TAKEOVER;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.EXTENSION;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.SERVER_MAX_WINDOW_BITS;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.SERVER_NO_CONTEXT_TAKEOVER;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.WINDOW_BITS_MAX;
import static dev.peregrine.server.websocket.deflate.DeflateParameters.WINDOW_BITS_MIN;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client's offers of permessage-deflate, in its order of preference. Offers of other extensions
 * are ignored, and so is an offer that the server must decline, because a parameter is unknown,
 * repeated or invalid (RFC 7692 section 7.1).
 */
public final class DeflateOffer {
  private static final int NOT_OFFERED = 0;

  private final boolean malformed;
  private final List<Acceptable> offers;

  private DeflateOffer(boolean malformed, List<Acceptable> offers) {
    this.malformed = malformed;
    this.offers = offers;
  }

  /**
   * Reads the values of all lines of Sec-WebSocket-Extensions in a request.
   *
   * @return the offers; {@link #isMalformed} if a value doesn't match the grammar
   */
  public static DeflateOffer parse(Iterable<String> fieldValues) {
    List<Acceptable> acceptable = new ArrayList<>();
    for (String value : fieldValues) {
      List<ExtensionOffer> offers = ExtensionOffer.parse(value);
      if (offers == null) {
        return new DeflateOffer(true, List.of());
      }
      for (ExtensionOffer offer : offers) {
        Acceptable one = offer.extension().equals(EXTENSION) ? Acceptable.of(offer) : null;
        if (one != null) {
          acceptable.add(one);
        }
      }
    }
    return new DeflateOffer(false, acceptable);
  }

  /** Returns true if the field is malformed: the handshake must fail (RFC 6455 section 9.1). */
  public boolean isMalformed() {
    return malformed;
  }

  /**
   * Returns the parameters to agree on: the client's first acceptable offer, narrowed by the
   * options. Returns null if there is none: the session is then not compressed.
   */
  public @Nullable DeflateParameters choose(DeflateOptions options) {
    return offers.isEmpty() ? null : offers.getFirst().narrowedBy(options);
  }

  /**
   * An offer that doesn't have to be declined.
   *
   * @param serverWindowBits the largest window that the client accepts, or {@link #NOT_OFFERED}
   * @param clientWindowBits the largest window that the client may be limited to, or {@link
   *     #NOT_OFFERED}
   */
  private record Acceptable(
      boolean serverNoContextTakeover,
      boolean clientNoContextTakeover,
      int serverWindowBits,
      int clientWindowBits) {

    static @Nullable Acceptable of(ExtensionOffer offer) {
      Set<String> seen = new TreeSet<>();
      int serverWindowBits = NOT_OFFERED;
      int clientWindowBits = NOT_OFFERED;
      for (ExtensionOffer.Parameter parameter : offer.parameters()) {
        String value = parameter.value();
        boolean valid =
            switch (parameter.name()) {
              case SERVER_NO_CONTEXT_TAKEOVER, CLIENT_NO_CONTEXT_TAKEOVER -> value == null;
              case SERVER_MAX_WINDOW_BITS -> {
                serverWindowBits = value == null ? NOT_OFFERED : windowBits(value);
                yield serverWindowBits != NOT_OFFERED;
              }
              case CLIENT_MAX_WINDOW_BITS -> {
                clientWindowBits = value == null ? WINDOW_BITS_MAX : windowBits(value);
                yield clientWindowBits != NOT_OFFERED;
              }
              default -> false;
            };
        if (!valid || !seen.add(parameter.name())) {
          return null;
        }
      }
      return new Acceptable(
          seen.contains(SERVER_NO_CONTEXT_TAKEOVER),
          seen.contains(CLIENT_NO_CONTEXT_TAKEOVER),
          serverWindowBits,
          clientWindowBits);
    }

    /** Returns the number of bits, written without leading zeros; {@link #NOT_OFFERED} if not. */
    private static int windowBits(String value) {
      for (int bits = WINDOW_BITS_MIN; bits <= WINDOW_BITS_MAX; bits++) {
        if (value.equals(Integer.toString(bits))) {
          return bits;
        }
      }
      return NOT_OFFERED;
    }

    DeflateParameters narrowedBy(DeflateOptions options) {
      boolean serverWindowOffered = serverWindowBits != NOT_OFFERED;
      // A limit of the client's window may be set only if the client has offered it. Confirming
      // the client's own limit would have no use.
      boolean clientWindowLimited =
          clientWindowBits != NOT_OFFERED && options.clientWindowBits() < WINDOW_BITS_MAX;
      return new DeflateParameters(
          serverNoContextTakeover || !options.serverContextTakeover(),
          clientNoContextTakeover || !options.clientContextTakeover(),
          serverWindowOffered
              ? Math.min(serverWindowBits, options.serverWindowBits())
              : options.serverWindowBits(),
          clientWindowLimited
              ? Math.min(clientWindowBits, options.clientWindowBits())
              : WINDOW_BITS_MAX,
          serverWindowOffered);
    }
  }
}
