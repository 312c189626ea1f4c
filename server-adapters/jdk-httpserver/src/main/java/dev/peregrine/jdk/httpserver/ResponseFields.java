package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Headers;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.FieldSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a handler has set, without those that are the server's: the framing, the date and
 * how long the connection persists.
 */
final class ResponseFields {
  private static final int UNKNOWN = -1;
  private static final ResponseFields NONE = new ResponseFields();

  /** A line break within a value (RFC 9112 section 5.2), which the API allows. */
  private static final Pattern FOLD = Pattern.compile("\r\n[ \t]+");

  private final List<String> namesAndValues = new ArrayList<>();
  private long length = UNKNOWN;
  private boolean closes;
  private @Nullable String upgrade;

  private ResponseFields() {}

  /**
   * Reads fields. One that can't be sent is refused before any is added to a response, so that the
   * handler may send another one.
   *
   * @throws NullPointerException if a name, a list or a value is null
   * @throws IllegalArgumentException if a name or a value isn't that of a field
   */
  static ResponseFields of(@Nullable Headers headers) {
    if (headers == null) {
      return NONE;
    }
    ResponseFields fields = new ResponseFields();
    for (Map.Entry<String, List<String>> field : headers.entrySet()) {
      String name = Objects.requireNonNull(field.getKey(), "name");
      for (String value : field.getValue()) {
        fields.add(name, Objects.requireNonNull(value, "value"));
      }
    }
    return fields;
  }

  /** Adds a line. The API's names begin with a capital, and have no other. */
  private void add(String name, String value) {
    switch (name) {
      case "Content-length" -> length = parseLength(value);
      case "Connection" -> closes |= hasClose(value);
      case "Upgrade" -> upgrade = value;
      case "Date", "Keep-alive", "Transfer-encoding" -> {}
      default -> {
        String line = value.indexOf('\r') < 0 ? value : FOLD.matcher(value).replaceAll(" ");
        if (!FieldSyntax.isToken(name) || !FieldSyntax.isFieldValue(line)) {
          throw new IllegalArgumentException("not a header field: " + name + ": " + line);
        }
        namesAndValues.add(name);
        namesAndValues.add(line);
      }
    }
  }

  private static boolean hasClose(String options) {
    for (String option : options.split(",", -1)) {
      if (option.strip().equalsIgnoreCase("close")) {
        return true;
      }
    }
    return false;
  }

  private static long parseLength(String value) {
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException notOne) {
      return UNKNOWN;
    }
  }

  /** Returns the length that the handler has set; negative if it has set none. */
  long length() {
    return length;
  }

  /** Returns the protocol that the handler wants to switch to; null if it names none. */
  @Nullable String upgrade() {
    return upgrade;
  }

  /** Adds the fields to a response. */
  void addTo(Response response) {
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      response.addHeader(namesAndValues.get(i), namesAndValues.get(i + 1));
    }
    if (closes) {
      response.header("Connection", "close");
    }
  }

  /** Returns the fields for an interim response. */
  PreparedFields prepared() {
    PreparedFields fields = PreparedFields.NONE;
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      if (!namesAndValues.get(i).equals("Content-type")) { // describes content that it hasn't
        fields = fields.and(namesAndValues.get(i), namesAndValues.get(i + 1));
      }
    }
    return fields;
  }
}
