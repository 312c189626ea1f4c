package dev.peregrine.http;

import dev.peregrine.base.EncodedFields;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.KnownHeader;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Header fields that many responses have, checked and encoded once; keep them in a constant.
 * Immutable.
 *
 * <pre>{@code
 * static final PreparedFields SECURITY =
 *     PreparedFields.of("X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY");
 * …
 * response.addHeaders(SECURITY).text("Hello");
 * }</pre>
 */
@SuppressWarnings("exports") // the superclass adds nothing that users can see
public final class PreparedFields extends EncodedFields {
  /** No fields. */
  public static final PreparedFields NONE = new PreparedFields(new String[0], "");

  private static final Set<KnownHeader> SERVERS =
      EnumSet.of(
          KnownHeader.CONNECTION,
          KnownHeader.CONTENT_LENGTH,
          KnownHeader.CONTENT_TYPE,
          KnownHeader.TRANSFER_ENCODING);

  private final String[] namesAndValues;

  private PreparedFields(String[] namesAndValues, String lines) {
    super(lines);
    this.namesAndValues = namesAndValues;
  }

  /**
   * Returns fields in the given order.
   *
   * @param namesAndValues a name, its value, the next name, and so on
   * @throws IllegalArgumentException if a name or value isn't valid, or if a field has a method of
   *     {@link Response} or is set by the server
   */
  public static PreparedFields of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("the last name has no value");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      String name = namesAndValues[i];
      String value = namesAndValues[i + 1];
      if (!FieldSyntax.isToken(name) || SERVERS.contains(KnownHeader.of(name))) {
        throw new IllegalArgumentException(
            "not a valid field name, or a field that can't be prepared: " + name);
      }
      if (!FieldSyntax.isFieldValue(value)) {
        throw new IllegalArgumentException("the text is not a valid value of " + name);
      }
      text.append(name).append(": ").append(value).append("\r\n");
    }
    return new PreparedFields(namesAndValues.clone(), text.toString());
  }

  /**
   * Returns these fields with one more at the end.
   *
   * @throws IllegalArgumentException as {@link #of} throws it
   */
  public PreparedFields and(String name, String value) {
    String[] more = Arrays.copyOf(namesAndValues, namesAndValues.length + 2);
    more[namesAndValues.length] = name;
    more[namesAndValues.length + 1] = value;
    return of(more);
  }

  /** Returns the number of field lines. */
  public int count() {
    return namesAndValues.length / 2;
  }

  /**
   * Returns the name of a field line.
   *
   * @param index 0 to {@link #count} - 1
   */
  public String name(int index) {
    return namesAndValues[2 * Objects.checkIndex(index, count())];
  }

  /**
   * Returns the value of the first field of that name, compared case-insensitively; null if absent.
   */
  public @Nullable String value(String name) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i].equalsIgnoreCase(name)) {
        return namesAndValues[i + 1];
      }
    }
    return null;
  }
}
