package dev.peregrine.bench.corpus;

import java.util.List;

/** One head, or one run of pipelined heads, of each kind that servers commonly see. */
public final class FixedHeads {
  private static final String BROWSER =
      "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
  private static final int PIPELINED = 16;
  private static final int SHORT_FIELDS = 40;

  private FixedHeads() {}

  /** Returns all of them, the shortest heads first. */
  public static List<Corpus> all() {
    return List.of(
        new Corpus("curl", curl()),
        new Corpus("small", small()),
        new Corpus("form", form()),
        new Corpus("proxied", proxied()),
        new Corpus("rare", rare()),
        new Corpus("browser", browser()),
        new Corpus("short-fields", shortFields()),
        new Corpus("api-token", apiToken()),
        new Corpus("pipelined", small().repeat(PIPELINED)));
  }

  private static String curl() {
    return head(
        "GET /status HTTP/1.1", "Host: 127.0.0.1:8080", "User-Agent: curl/8.14.1", "Accept: */*");
  }

  /** Returns the request of a load generator, to which the codec benchmark responds. */
  static String small() {
    return head(
        "GET /plaintext HTTP/1.1",
        "Host: bench.example:8080",
        "User-Agent: load/1.0",
        "Accept: text/plain,text/html;q=0.9,*/*;q=0.5",
        "Connection: keep-alive");
  }

  private static String form() {
    return head(
        "POST /account/sign-in HTTP/1.1",
        "Host: www.fieldnotes.example",
        "Origin: https://www.fieldnotes.example",
        "User-Agent: " + BROWSER,
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 74",
        "Accept: text/html,application/xhtml+xml,*/*;q=0.8",
        "Accept-Encoding: gzip, deflate, br",
        "Cookie: visit=6f1c2a9b",
        "Connection: keep-alive");
  }

  private static String proxied() {
    return head(
        "PUT /v3/inventory/items/48213?warehouse=north&dry-run=false HTTP/1.1",
        "host: inventory.internal.example",
        "x-forwarded-for: 203.0.113.45, 10.4.0.9",
        "x-forwarded-proto: https",
        "x-forwarded-port: 443",
        "x-request-id: 0d6e2f0a-4e0b-4f1f-9d34-5f6f2f6a1c77",
        "traceparent: 00-7e1d3c5b9a8f4e2d6c0b1a2938475665-a1b2c3d4e5f60718-01",
        "tracestate: mesh=t61rcWkgMzE",
        "user-agent: inventory-sync/4.12.0 (linux; jdk 25)",
        "content-type: application/json",
        "content-length: 318",
        "accept: application/json",
        "if-match: \"b7c1-17\"");
  }

  /**
   * Returns a head with HTAB, obs-text, digits and underscores, which are legal, but not on fast
   * paths.
   */
  private static String rare() {
    return head(
        "GET /suche/caf%C3%A9?q=gr%C3%BCn+blau&seite=2 HTTP/1.1",
        "Host: katalog.example",
        "X-B3-TraceId: 463ac35c9f6413ad48485a3953bb6124",
        "X-B3-SpanId: a2fb4a1d1a96d312",
        "X_Client_Id: 77120",
        "X-Benutzer: J\u00fcrgen M\u00fcller",
        "Accept:\ttext/html, application/json;q=0.7",
        "X-Note: left\tright",
        "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==",
        "User-Agent: " + BROWSER,
        "Accept-Language: de-AT,de;q=0.8,en;q=0.4");
  }

  private static String browser() {
    return head(
        "GET /journal/2026/11/alpine-hut-to-hut?utm_source=letter&utm_campaign=winter HTTP/1.1",
        "Host: www.fieldnotes.example",
        "User-Agent: " + BROWSER,
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
        "Accept-Language: en-GB,en;q=0.7,fr;q=0.3",
        "Accept-Encoding: gzip, deflate, br, zstd",
        "Referer: https://www.fieldnotes.example/journal?topic=walking&page=4",
        "DNT: 1",
        "Sec-GPC: 1",
        "Connection: keep-alive",
        "Cookie: visit=6f1c2a9b; seen=%5B%22hut%22%2C%22pass%22%5D; prefs=units:metric|theme:dark;"
            + " session=Zk3vQ9yB0tXw7LrN2sPe8uHa5dGc1mJi; consent=v2.1f.0c",
        "Upgrade-Insecure-Requests: 1",
        "Sec-Fetch-Dest: document",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-User: ?1",
        "Priority: u=0, i",
        "If-Modified-Since: Fri, 20 Nov 2026 18:04:11 GMT");
  }

  private static String shortFields() {
    StringBuilder fields = new StringBuilder("GET /s HTTP/1.1\r\nHost: s.example\r\n");
    for (int i = 1; i < SHORT_FIELDS; i++) {
      fields
          .append((char) ('a' + i % 26))
          .append("-tag".repeat(1 + i % 3))
          .append(": ")
          .append(i * 37)
          .append("\r\n");
    }
    return fields.append("\r\n").toString();
  }

  private static String apiToken() {
    Tokens tokens = new Tokens(5);
    return head(
        "POST /graphql?operation=OrdersByCustomer HTTP/1.1",
        "Host: api.fieldnotes.example",
        "Authorization: Bearer " + tokens.jwt(1200),
        "Content-Type: application/json",
        "Content-Length: 1482",
        "Accept: application/json",
        "Accept-Encoding: gzip, br",
        "Origin: https://app.fieldnotes.example",
        "Referer: https://app.fieldnotes.example/orders/open",
        "User-Agent: " + BROWSER,
        "X-Request-Id: " + tokens.uuid(),
        "X-CSRF-Token: " + tokens.base64(48),
        "Cookie: session="
            + tokens.base64(96)
            + "; refresh="
            + tokens.base64(420)
            + "; device="
            + tokens.uuid()
            + "; experiments="
            + tokens.base64(180),
        "Sec-Fetch-Mode: cors",
        "Sec-Fetch-Site: same-site",
        "Connection: keep-alive");
  }

  private static String head(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }
}
