package dev.peregrine.spring;

import java.util.List;
import org.springframework.http.HttpCookie;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/** The cookies of a request's Cookie fields (RFC 6265 section 4.2). */
final class RequestCookies {
  private RequestCookies() {}

  static MultiValueMap<String, HttpCookie> of(List<String> lines) {
    MultiValueMap<String, HttpCookie> cookies = new LinkedMultiValueMap<>();
    for (String line : lines) {
      int from = 0;
      while (from < line.length()) {
        int semicolon = line.indexOf(';', from);
        int end = semicolon < 0 ? line.length() : semicolon;
        add(cookies, line, from, end);
        from = end + 1;
      }
    }
    return cookies;
  }

  /** Adds the pair between two indexes, unless it has no name. */
  private static void add(
      MultiValueMap<String, HttpCookie> cookies, String line, int from, int end) {
    int equals = line.indexOf('=', from, end);
    String name = equals < 0 ? "" : line.substring(from, equals).strip();
    if (!name.isEmpty()) {
      String value = unquote(line.substring(equals + 1, end).strip());
      cookies.add(name, new HttpCookie(name, value));
    }
  }

  private static String unquote(String value) {
    int last = value.length() - 1;
    boolean isQuoted = last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"';
    return isQuoted ? value.substring(1, last) : value;
  }
}
