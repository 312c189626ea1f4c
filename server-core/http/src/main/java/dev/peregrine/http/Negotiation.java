package dev.peregrine.http;

import dev.peregrine.protocol.HeaderName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among alternatives of a handler by the client's preferences (RFC 9110 section 12). Among
 * those of equal weight the first one is chosen. A response that was chosen this way must have a
 * {@code Vary} field for caches.
 *
 * <pre>{@code
 * String type = Negotiation.mediaType(request, "application/json", "text/html");
 * if (type == null) {
 *   throw new HttpException(406, "application/json and text/html are available");
 * }
 * response.addHeader("Vary", "Accept");
 * }</pre>
 */
public final class Negotiation {
  private static final String IDENTITY = "identity";

  private Negotiation() {}

  /** Measures how well an offer fits an element of the field; 0 for not at all, more is closer. */
  private interface Fit {
    int of(String offer, String element);
  }

  /**
   * Returns the media type to send, by {@code Accept}; null if the client accepts none of them.
   * Without the field it is the first.
   *
   * @param offered media types without wildcards, the preferred one first
   */
  public static @Nullable String mediaType(Request request, String... offered) {
    return choose(request, HeaderName.ACCEPT, Negotiation::fitOfMediaType, offered);
  }

  /**
   * Returns the language to send, by {@code Accept-Language}; null if the client named only others.
   * Without the field it is the first. {@code en} in the field fits an offered {@code en-GB}, and
   * vice versa (RFC 4647 sections 3.3.1 and 3.4).
   *
   * @param offered language tags, the preferred one first
   */
  public static @Nullable String language(Request request, String... offered) {
    return choose(request, HeaderName.ACCEPT_LANGUAGE, Negotiation::fitOfLanguage, offered);
  }

  /**
   * Returns the content coding to send, by {@code Accept-Encoding}: one that the client named or
   * covered by {@code *}, otherwise {@code identity}; null if the client doesn't accept even that
   * (RFC 9110 section 12.5.3).
   *
   * @param offered content codings, the preferred one first; {@code identity} need not be among
   *     them
   */
  public static @Nullable String coding(Request request, String... offered) {
    QualityValues accepted = QualityValues.parse(request.headers(HeaderName.ACCEPT_ENCODING));
    String best = heaviest(offered, accepted, null);
    if (best == null) {
      return accepted.weightOf(IDENTITY) == 0 ? null : IDENTITY;
    }
    return accepted.weightOfName(IDENTITY) > accepted.weightOf(best) ? IDENTITY : best;
  }

  private static @Nullable String choose(
      Request request, String field, Fit fit, String... offered) {
    return heaviest(offered, QualityValues.parse(request.headers(field)), fit);
  }

  /**
   * Returns the first offer of the greatest weight, by name if fit is null; null if none has any.
   */
  private static @Nullable String heaviest(
      String[] offered, QualityValues accepted, @Nullable Fit fit) {
    int most = 0;
    String best = null;
    for (String offer : offered) {
      int weight = fit == null ? accepted.weightOf(offer) : weight(offer, accepted, fit);
      if (weight > most) {
        most = weight;
        best = offer;
      }
    }
    return best;
  }

  /** Returns the weight of the element that fits best. */
  private static int weight(String offer, QualityValues accepted, Fit fit) {
    if (accepted.size() == 0) {
      return QualityValues.WEIGHT_MAX;
    }
    String lowerCase = offer.toLowerCase(Locale.ROOT).replace(" ", "");
    int closest = 0;
    int weight = 0;
    for (int i = 0; i < accepted.size(); i++) {
      int closeness = fit.of(lowerCase, accepted.value(i));
      if (closeness > closest) {
        closest = closeness;
        weight = accepted.weight(i);
      }
    }
    return weight;
  }

  private static int fitOfMediaType(String offer, String range) {
    int parameters = offer.indexOf(';');
    String type = parameters < 0 ? offer : offer.substring(0, parameters);
    if (range.equals("*/*")) {
      return 1;
    }
    if (range.endsWith("/*")) {
      return type.startsWith(range.substring(0, range.length() - 1)) ? 2 : 0;
    }
    if (range.equals(type)) {
      return 3;
    }
    return range.equals(offer) ? 4 : 0;
  }

  private static int fitOfLanguage(String offer, String range) {
    if (range.equals("*")) {
      return 1;
    }
    if (range.startsWith(offer + "-")) {
      return 2;
    }
    if (offer.equals(range) || offer.startsWith(range + "-")) {
      return 2 + range.length();
    }
    return 0;
  }
}
