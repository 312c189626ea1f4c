package dev.peregrine.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among what a handler can answer by what the client prefers (RFC 9110 section 12). Of
 * alternatives that the client likes equally, the one that is offered first is chosen. A response
 * that was chosen this way says so in its {@code Vary} field, for the sake of caches.
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

  /** How well an offer fits an element of the client's; 0 for not at all, more is closer. */
  private interface Fit {
    int of(String offer, String element);
  }

  /**
   * The media type to answer with, by {@code Accept}; null if the client takes none of them.
   * Without the field it is the first.
   *
   * @param offered media types without wildcards, the preferred one first
   */
  public static @Nullable String mediaType(Request request, String... offered) {
    return choose(request, "Accept", Negotiation::fitOfMediaType, offered);
  }

  /**
   * The language to answer in, by {@code Accept-Language}; null if the client named others only.
   * Without the field it is the first. {@code en} in the field fits an offered {@code en-GB}, and
   * the other way round (RFC 4647 sections 3.3.1 and 3.4).
   *
   * @param offered language tags, the preferred one first
   */
  public static @Nullable String language(Request request, String... offered) {
    return choose(request, "Accept-Language", Negotiation::fitOfLanguage, offered);
  }

  /**
   * The content coding to answer with, by {@code Accept-Encoding}: one that the client named or
   * covered by {@code *}; else {@code identity}; null if the client takes not even that (RFC 9110
   * section 12.5.3).
   *
   * @param offered content codings, the preferred one first; {@code identity} need not be among
   *     them
   */
  public static @Nullable String coding(Request request, String... offered) {
    QualityValues accepted = QualityValues.parse(request.headers("Accept-Encoding"));
    int most = 0;
    String best = null;
    for (String offer : offered) {
      int weight = accepted.weightOf(offer);
      if (weight > most) {
        most = weight;
        best = offer;
      }
    }
    if (best == null) {
      return accepted.weightOf(IDENTITY) == 0 ? null : IDENTITY;
    }
    return accepted.weightOfName(IDENTITY) > most ? IDENTITY : best;
  }

  private static @Nullable String choose(
      Request request, String field, Fit fit, String... offered) {
    QualityValues accepted = QualityValues.parse(request.headers(field));
    int most = 0;
    String best = null;
    for (String offer : offered) {
      int weight = weight(offer, accepted, fit);
      if (weight > most) {
        most = weight;
        best = offer;
      }
    }
    return best;
  }

  /** The weight of the element that fits best. */
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
