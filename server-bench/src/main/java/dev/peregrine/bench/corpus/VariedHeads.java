package dev.peregrine.bench.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Heads of many clients, all different, so that a branch predictor can't learn them: browsers,
 * applications, services behind proxies, tools, crawlers. The same seed gives the same heads.
 */
public final class VariedHeads {
  /** Name of the corpus. */
  public static final String NAME = "varied";

  /** Heads in the corpus. */
  public static final int COUNT = 2048;

  private static final long SEED = 20_261_121;

  // Shares of heads with rare, legal elements, in percent.
  private static final int HTAB_PERCENT = 4;
  private static final int OBS_TEXT_PERCENT = 2;
  private static final int UNDERSCORE_PERCENT = 5;
  private static final int DIGITS_PERCENT = 8;
  private static final int LOWER_CASE_PERCENT = 15;

  private final Tokens tokens;
  private final Random order;
  private final List<String> lines = new ArrayList<>();

  VariedHeads(long seed) {
    tokens = new Tokens(seed);
    order = new Random(seed + 1);
  }

  /** Returns the corpus: {@link #COUNT} different heads. */
  public static Corpus corpus() {
    VariedHeads source = new VariedHeads(SEED);
    Set<String> heads = new LinkedHashSet<>();
    while (heads.size() < COUNT) {
      heads.add(source.next());
    }
    return new Corpus(NAME, String.join("", heads));
  }

  String next() {
    lines.clear();
    int client = tokens.between(0, 99);
    String requestLine;
    if (client < 25) {
      requestLine = navigation();
    } else if (client < 50) {
      requestLine = script();
    } else if (client < 65) {
      requestLine = application();
    } else if (client < 82) {
      requestLine = service();
    } else if (client < 91) {
      requestLine = tool();
    } else if (client < 97) {
      requestLine = crawler();
    } else {
      requestLine = webSocket();
    }
    addRare();
    shuffleSome();
    boolean lowerCase = tokens.percent(LOWER_CASE_PERCENT);
    StringBuilder head = new StringBuilder(requestLine).append("\r\n");
    for (String line : lines) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon);
      head.append(lowerCase ? name.toLowerCase(Locale.ROOT) : name)
          .append(line, colon, line.length());
      head.append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  // ---- clients ----

  private String navigation() {
    String host = host();
    add("Host", host);
    add("Connection", "keep-alive");
    maybe(30, "Cache-Control", () -> tokens.oneOf("max-age=0", "no-cache"));
    clientHints();
    add("Upgrade-Insecure-Requests", "1");
    add("User-Agent", browser());
    add(
        "Accept",
        tokens.oneOf(
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            "text/html,*/*;q=0.1"));
    fetchMetadata("navigate", "document");
    maybe(60, "Referer", () -> "https://" + host + path() + query(2));
    add("Accept-Encoding", tokens.oneOf("gzip, deflate, br, zstd", "gzip, deflate, br", "gzip"));
    add("Accept-Language", language());
    maybe(80, "Cookie", this::cookies);
    maybe(25, "If-None-Match", this::etag);
    maybe(10, "If-Modified-Since", this::date);
    return "GET " + path() + query(3) + " HTTP/1.1";
  }

  private String script() {
    String host = host();
    String method = tokens.oneOf("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH");
    add("Host", host);
    add("User-Agent", browser());
    add("Accept", tokens.oneOf("*/*", "application/json", "application/json, text/plain, */*"));
    add("Accept-Language", language());
    add("Accept-Encoding", "gzip, deflate, br");
    add("Referer", "https://" + host + path());
    content(method, "application/json", "application/json;charset=UTF-8", "text/plain");
    maybe(50, "Origin", () -> "https://" + host);
    maybe(40, "X-Requested-With", () -> "XMLHttpRequest");
    maybe(30, "X-CSRF-Token", () -> tokens.base64(tokens.between(24, 64)));
    maybe(35, "Authorization", this::bearer);
    clientHints();
    fetchMetadata(tokens.oneOf("cors", "no-cors", "same-origin"), "empty");
    maybe(70, "Cookie", this::cookies);
    add("Connection", "keep-alive");
    return method + " " + path() + query(4) + " HTTP/1.1";
  }

  private String application() {
    String method = tokens.oneOf("GET", "GET", "POST", "PUT", "DELETE");
    add("Host", "api." + host());
    add("Accept", "application/json");
    add(
        "User-Agent",
        tokens.oneOf("Trails", "Ledger", "Podcasts", "Clinic")
            + "/"
            + version()
            + tokens.oneOf(" (Android 16; Pixel 9)", " CFNetwork/1568.300 Darwin/24.2.0", ""));
    add("Authorization", bearer());
    content(method, "application/json; charset=utf-8", "application/x-protobuf");
    add("Accept-Encoding", "gzip");
    maybe(50, "X-Device-Id", tokens::uuid);
    maybe(50, "X-App-Version", this::version);
    maybe(30, "X-Request-Id", tokens::uuid);
    maybe(20, "Connection", () -> "Keep-Alive");
    return method + " /" + tokens.oneOf("v1", "v2", "mobile/v4") + path() + query(3) + " HTTP/1.1";
  }

  private String service() {
    String method = tokens.oneOf("GET", "GET", "POST", "POST", "PUT", "PATCH");
    add("Host", tokens.oneOf("orders", "users", "stock", "mail") + ".internal.example:8443");
    add("X-Forwarded-For", address() + (tokens.percent(40) ? ", " + address() : ""));
    add("X-Forwarded-Proto", "https");
    maybe(60, "X-Forwarded-Host", this::host);
    maybe(40, "Forwarded", () -> "for=" + address() + ";proto=https");
    maybe(30, "Via", () -> "1.1 edge-" + tokens.between(1, 40));
    add("traceparent", "00-" + tokens.hex(32) + "-" + tokens.hex(16) + "-01");
    maybe(50, "tracestate", () -> "mesh=" + tokens.hex(16));
    maybe(70, "X-Request-Id", tokens::uuid);
    content(method, "application/json", "application/cbor", "application/octet-stream");
    maybe(60, "Authorization", this::bearer);
    add("Accept", tokens.oneOf("application/json", "*/*"));
    add(
        "User-Agent",
        tokens.oneOf("Java-http-client/25", "Go-http-client/1.1", "svc/" + version()));
    maybe(15, "TE", () -> "trailers");
    return method + " " + path() + query(2) + " HTTP/1.1";
  }

  private String tool() {
    add("Host", tokens.percent(50) ? "localhost:" + tokens.between(3000, 9999) : host());
    add(
        "User-Agent",
        tokens.oneOf(
            "curl/8." + tokens.between(0, 14) + ".1", "Wget/1.25.0", "python-requests/2.32.3"));
    add("Accept", "*/*");
    maybe(40, "Accept-Encoding", () -> "gzip, deflate");
    maybe(20, "Range", () -> "bytes=" + tokens.between(0, 99_999) + "-");
    maybe(25, "Connection", () -> tokens.oneOf("close", "keep-alive", "Keep-Alive"));
    boolean old = tokens.percent(5);
    return tokens.oneOf("GET", "GET", "GET", "HEAD", "OPTIONS")
        + " "
        + path()
        + query(1)
        + (old ? " HTTP/1.0" : " HTTP/1.1");
  }

  private String crawler() {
    add("Host", host());
    add("Connection", "keep-alive");
    add("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    add("From", "bot(at)search.example");
    add(
        "User-Agent",
        "Mozilla/5.0 (compatible; Seeker/" + version() + "; +http://search.example/)");
    add("Accept-Encoding", "gzip,deflate,br");
    maybe(50, "If-Modified-Since", this::date);
    return "GET " + path() + query(2) + " HTTP/1.1";
  }

  private String webSocket() {
    String host = host();
    add("Host", host);
    add("Connection", tokens.oneOf("Upgrade", "keep-alive, Upgrade"));
    add("Upgrade", "websocket");
    add("Origin", "https://" + host);
    add("User-Agent", browser());
    add("Sec-WebSocket-Version", "13");
    add("Sec-WebSocket-Key", tokens.base64(22) + "==");
    maybe(70, "Sec-WebSocket-Extensions", () -> "permessage-deflate; client_max_window_bits");
    maybe(60, "Cookie", this::cookies);
    return "GET /" + tokens.oneOf("live", "ws", "socket") + query(1) + " HTTP/1.1";
  }

  // ---- fields ----

  private void add(String name, String value) {
    lines.add(name + ": " + value);
  }

  private void maybe(int percent, String name, Supplier<String> value) {
    if (tokens.percent(percent)) {
      add(name, value.get());
    }
  }

  private void content(String method, String... types) {
    if (method.startsWith("P")) {
      add("Content-Type", tokens.oneOf(types));
      if (tokens.percent(85)) {
        add("Content-Length", String.valueOf(tokens.between(2, 20_000)));
      } else {
        add("Transfer-Encoding", "chunked");
      }
    }
  }

  private void clientHints() {
    if (tokens.percent(60)) {
      int release = tokens.between(120, 142);
      add("sec-ch-ua", "\"Chromium\";v=\"" + release + "\", \"Not_A Brand\";v=\"24\"");
      add("sec-ch-ua-mobile", tokens.oneOf("?0", "?1"));
      add("sec-ch-ua-platform", tokens.oneOf("\"Linux\"", "\"Windows\"", "\"macOS\""));
    }
  }

  private void fetchMetadata(String mode, String destination) {
    add("Sec-Fetch-Site", tokens.oneOf("none", "same-origin", "same-site", "cross-site"));
    add("Sec-Fetch-Mode", mode);
    add("Sec-Fetch-Dest", destination);
  }

  private void addRare() {
    if (tokens.percent(HTAB_PERCENT)) {
      lines.add("X-Comment:\t" + tokens.oneOf("a\tb", "checked", "one,\ttwo"));
    }
    if (tokens.percent(OBS_TEXT_PERCENT)) {
      add("X-User-Name", tokens.oneOf("J\u00fcrgen", "Zo\u00eb", "\u00c3\u00a5sa", "Ma\u00f1ana"));
    }
    if (tokens.percent(UNDERSCORE_PERCENT)) {
      add(tokens.oneOf("client_id", "X_Session", "API_KEY"), tokens.hex(20));
    }
    if (tokens.percent(DIGITS_PERCENT)) {
      add(tokens.oneOf("X-B3-TraceId", "X-Amz-Content-Sha256", "Content-MD5"), tokens.hex(32));
    }
  }

  /** Swaps some fields, because clients differ in their order; the first one stays. */
  private void shuffleSome() {
    for (int i = 0; i < 3 && lines.size() > 2; i++) {
      int bound = lines.size() - 1;
      Collections.swap(lines, 1 + order.nextInt(bound), 1 + order.nextInt(bound));
    }
  }

  // ---- values ----

  private String host() {
    return tokens.oneOf("www.", "shop.", "", "m.")
        + tokens.oneOf("fieldnotes", "hut-to-hut", "bank24", "news", "museum", "tools")
        + tokens.oneOf(".example", ".example.com", ".example.org")
        + (tokens.percent(10) ? ":8080" : "");
  }

  private String path() {
    StringBuilder path = new StringBuilder();
    for (int i = tokens.between(0, 4); i >= 0; i--) {
      path.append('/')
          .append(
              switch (tokens.between(0, 9)) {
                case 0 -> String.valueOf(tokens.between(1, 9_999_999));
                case 1 -> tokens.uuid();
                case 2 -> tokens.oneOf("caf%C3%A9", "gr%C3%B6%C3%9Fe", "a%20b", "~ada", "x;v=2");
                case 3 -> tokens.oneOf("logo.svg", "app." + tokens.hex(8) + ".js", "feed.xml");
                default ->
                    tokens.oneOf(
                        "items",
                        "catalogue",
                        "users",
                        "orders",
                        "search",
                        "static",
                        "journal",
                        "alpine-hut-to-hut",
                        "sign-in",
                        "2026",
                        "api",
                        "q");
              });
    }
    return path.toString();
  }

  private String query(int most) {
    StringBuilder query = new StringBuilder();
    for (int i = tokens.between(0, most); i > 0; i--) {
      query
          .append(query.isEmpty() ? '?' : '&')
          .append(tokens.oneOf("page", "q", "sort", "utm_source", "filter", "id", "lang", "t"))
          .append('=')
          .append(
              tokens.oneOf(
                  String.valueOf(tokens.between(0, 5000)),
                  "red+tent",
                  "price,asc",
                  "%7B%22open%22%3Atrue%7D",
                  tokens.base64(tokens.between(4, 32))));
    }
    return query.toString();
  }

  private String browser() {
    int release = tokens.between(100, 142);
    String system =
        tokens.oneOf(
            "X11; Linux x86_64",
            "Windows NT 10.0; Win64; x64",
            "Macintosh; Intel Mac OS X 10_15_7",
            "Linux; Android 10; K",
            "iPhone; CPU iPhone OS 18_1 like Mac OS X");
    if (tokens.percent(30)) {
      return "Mozilla/5.0 ("
          + system
          + "; rv:"
          + release
          + ".0) Gecko/20100101 Firefox/"
          + release
          + ".0";
    }
    return "Mozilla/5.0 ("
        + system
        + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/"
        + release
        + ".0.0.0 "
        + tokens.oneOf("", "Mobile ")
        + "Safari/537.36";
  }

  private String cookies() {
    StringBuilder cookies = new StringBuilder("sid=").append(tokens.base64(tokens.between(16, 64)));
    for (int i = tokens.between(0, 5); i > 0; i--) {
      cookies
          .append("; ")
          .append(tokens.oneOf("_ga", "theme", "consent", "cart", "lang", "seen", "ab", "csrf"))
          .append('=')
          .append(tokens.base64(tokens.between(1, tokens.percent(15) ? 200 : 40)));
    }
    return cookies.toString();
  }

  private String bearer() {
    return "Bearer "
        + (tokens.percent(50) ? tokens.jwt(tokens.between(120, 700)) : tokens.base64(40));
  }

  private String language() {
    return tokens.oneOf("en-GB,en;q=0.9", "de-AT,de;q=0.8,en;q=0.4", "fr", "ja,en-US;q=0.7", "*");
  }

  private String etag() {
    return (tokens.percent(50) ? "W/" : "") + '"' + tokens.hex(tokens.between(8, 32)) + '"';
  }

  private String date() {
    return "Fri, "
        + tokens.between(10, 28)
        + " Nov 2026 "
        + tokens.between(10, 23)
        + ":"
        + tokens.between(10, 59)
        + ":"
        + tokens.between(10, 59)
        + " GMT";
  }

  private String address() {
    return "203.0.113." + tokens.between(1, 254);
  }

  private String version() {
    return tokens.between(1, 12) + "." + tokens.between(0, 40) + "." + tokens.between(0, 9);
  }
}
