package dev.peregrine.http;

import dev.peregrine.protocol.ListSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The weighted elements of a field with preferences, such as {@code Accept-Encoding: br,
 * gzip;q=0.8, *;q=0} (RFC 9110 section 12.4). Immutable. Malformed elements are left out, because
 * an unknown preference is not a reason to reject a request.
 *
 * <pre>{@code
 * QualityValues codings = QualityValues.parse(request.headers("Accept-Encoding"));
 * boolean brotli = codings.weightOf("br") > 0;
 * }</pre>
 */
public final class QualityValues {
  /** The weight of an element without {@code q}: 1.000, in thousandths. */
  public static final int WEIGHT_MAX = 1000;

  /** Returned by {@link #weightOf} if no element names the token. */
  public static final int UNNAMED = -1;

  private static final int MALFORMED = -1;
  private static final int DECIMALS_MAX = 3;
  private static final int DECIMAL = 10;

  private record Element(String value, int weight) {}

  private final List<Element> elements;

  private QualityValues(List<Element> elements) {
    this.elements = elements;
  }

  /** Parses the elements of all lines of a field, in their order. */
  public static QualityValues parse(List<String> fieldLines) {
    List<Element> elements = new ArrayList<>();
    for (String line : fieldLines) {
      for (String element : ListSyntax.split(line, ',')) {
        add(element, elements);
      }
    }
    return new QualityValues(elements);
  }

  private static void add(String element, List<Element> to) {
    List<String> parts = ListSyntax.split(element, ';');
    if (parts.isEmpty()) {
      return;
    }
    StringBuilder value = new StringBuilder(parts.getFirst().toLowerCase(Locale.ROOT));
    for (String part : parts.subList(1, parts.size())) {
      if (part.regionMatches(true, 0, "q=", 0, 2)) {
        int weight = parseWeight(part.substring(2));
        if (weight != MALFORMED) {
          to.add(new Element(value.toString(), weight));
        }
        return; // the parameters after the weight aren't part of the media type
      }
      value.append(';').append(part.toLowerCase(Locale.ROOT));
    }
    to.add(new Element(value.toString(), WEIGHT_MAX));
  }

  /** Returns a qvalue in thousandths (RFC 9110 section 12.4.2). */
  private static int parseWeight(String text) {
    int length = text.length();
    boolean hasDot = length < 2 || text.charAt(1) == '.';
    if (length == 0 || length > 2 + DECIMALS_MAX || text.charAt(0) > '1' || !hasDot) {
      return MALFORMED;
    }
    int weight = 0;
    for (int i = 0; i < 2 + DECIMALS_MAX; i++) {
      char c = i < length ? text.charAt(i) : '0';
      if (i == 1) {
        continue;
      }
      if (c < '0' || c > '9') {
        return MALFORMED;
      }
      weight = weight * DECIMAL + c - '0';
    }
    return weight <= WEIGHT_MAX ? weight : MALFORMED;
  }

  /** Returns the number of elements. */
  public int size() {
    return elements.size();
  }

  /**
   * Returns an element without its weight, in lower case: {@code gzip}, {@code text/html;level=1},
   * {@code *}.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String value(int index) {
    return elements.get(index).value;
  }

  /**
   * Returns an element's weight in thousandths, 0 (not acceptable) to {@link #WEIGHT_MAX}.
   *
   * @param index 0 to {@link #size} - 1
   */
  public int weight(int index) {
    return elements.get(index).weight;
  }

  /**
   * Returns the weight of a token in thousandths: that of the first element that names it,
   * otherwise that of {@code *}, otherwise {@link #UNNAMED}.
   *
   * @param token compared case-insensitively
   */
  public int weightOf(String token) {
    int named = weightOfName(token);
    return named == UNNAMED ? weightOfName("*") : named;
  }

  /** Like {@link #weightOf}, but {@code *} doesn't count. */
  int weightOfName(String token) {
    for (Element element : elements) {
      if (element.value.equalsIgnoreCase(token)) {
        return element.weight;
      }
    }
    return UNNAMED;
  }
}
