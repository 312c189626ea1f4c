package dev.peregrine.parser.corpus;

import java.util.LinkedHashMap;
import java.util.Map;

/** Heads that a server must accept, by section. Each ends with its empty line. */
public final class ValidHeads {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";

  private ValidHeads() {}

  /** Name to head. */
  public static Map<String, String> all() {
    var heads = new LinkedHashMap<String, String>();
    requestLines(heads);
    targets(heads);
    hosts(heads);
    fields(heads);
    bodies(heads);
    connections(heads);
    real(heads);
    return heads;
  }

  private static void requestLines(Map<String, String> heads) {
    heads.put("9112-2.2 one empty line before", "\r\n" + GET + "\r\n");
    heads.put("9112-2.2 two empty lines before", "\r\n\r\n" + GET + "\r\n");
    heads.put("9112-2.3 version 1.0", "GET / HTTP/1.0\r\n\r\n");
    heads.put("9110-2.5 higher minor version", "GET / HTTP/1.2\r\nHost: a\r\n\r\n");
    heads.put("9110-2.5 highest minor version", "GET / HTTP/1.9\r\nHost: a\r\n\r\n");
    for (String method :
        new String[] {
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "PATCH",
          "get",
          "G",
          "GETS",
          "M-SEARCH",
          "PROPFIND",
          "!#$%&'*+-.^_`|~09azAZ",
          "MKCALENDARANDMUCHMORE"
        }) {
      heads.put("9110-9.1 method " + method, method + " /p HTTP/1.1\r\nHost: a\r\n\r\n");
    }
  }

  private static void targets(Map<String, String> heads) {
    for (String target :
        new String[] {
          "/",
          "//",
          "/a/b/c",
          "/a?b",
          "/?",
          "/a?b?c/d",
          "/a/../b",
          "/a;b=c,d",
          "/%20%fF?%41",
          "/-._~!$&'()*+,;=:@",
          "/?-._~!$&'()*+,;=:@/?",
          "/" + "long/".repeat(40) + "?" + "q".repeat(70),
          "/" + "%E4%BD%A0".repeat(20),
          "http://a",
          "http://a/",
          "HTTP://a:80/b?c",
          "https://a/",
          "hTTPs://a?b",
          "ftp://a/",
          "a1+-.://a/",
          "http://a?b",
          "http://[::1]:8080/",
          "http://a:/",
          "http://a.b-c_d~e!$&'()*+,;=%41/x",
          "http://127.0.0.1/"
        }) {
      heads.put("9112-3.2 target " + target, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    heads.put("9112-3.2.2 Host differs", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n");
    heads.put("9112-3.2.3 name and port", "CONNECT a.b:443 HTTP/1.1\r\nHost: a.b:443\r\n\r\n");
    heads.put("9112-3.2.3 literal", "CONNECT [::1]:1 HTTP/1.1\r\nHost: [::1]:1\r\n\r\n");
    heads.put("9112-3.2.4 asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  private static void hosts(Map<String, String> heads) {
    for (String host :
        new String[] {
          "",
          "a",
          "a:80",
          "a:",
          "a:59999",
          "a:60000",
          "a:65529",
          "a:65535",
          "a.example.com:65535",
          "a:000080",
          "a:00080",
          "A.example.com",
          "1.2.3.4:5",
          "a_b~c",
          "%41%7a",
          "[::]",
          "[::1]:80",
          "[1:2:3:4:5:6:7:8]",
          "[1:2::8]",
          "[::ffff:1.2.3.4]",
          "[1::]",
          "[1:2:3:4:5:6:1.2.3.4]",
          "[1:2:3:4:5:6:7::]",
          "[::2:3:4:5:6:7:8]",
          "[v1.a:b]",
          "[vF.~]"
        }) {
      heads.put("3986-3.2.2 Host " + host, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }
    heads.put("9112-3.2 Host in any case", "GET / HTTP/1.1\r\nhOsT:a\r\n\r\n");
  }

  private static void fields(Map<String, String> heads) {
    heads.put("9112-5.1 no whitespace", GET + "A:b\r\n\r\n");
    heads.put("9112-5.1 much whitespace", GET + "A: \t  b \t\t\r\n\r\n");
    heads.put("9112-5 empty value", GET + "A:\r\nB: \r\nC:\t \t\r\n\r\n");
    heads.put("9110-5.5 tab inside", GET + "A: b\tc\td\r\n\r\n");
    heads.put("9110-5.5 obs-text", GET + "A: \u00e9\u0080\u00ff \u00a0\r\n\r\n");
    heads.put("9110-5.5 every visible", GET + "A: " + visible() + "\r\n\r\n");
    heads.put("9110-5.1 every tchar", GET + "!#$%&'*+-.^_`|~09azAZ: b\r\n\r\n");
    heads.put("9110-5.1 digits and underscores", GET + "X_1-2_3: b\r\n4: 5\r\n_: _\r\n\r\n");
    heads.put("9110-5.3 repeated", GET + "A: b\r\na: c\r\nA: b\r\n\r\n");
    heads.put("colons in values", GET + "A: b:c::d\r\nB:::\r\nC: :\r\n\r\n");
    for (int length = 1; length < 70; length += 3) {
      String name = "n".repeat(length);
      String value = "v".repeat(70 - length);
      heads.put("strides " + length, GET + name + ": " + value + "\r\n" + name + ":\r\n\r\n");
    }
    heads.put("long value", GET + "A: " + "long value ".repeat(300) + "\r\n\r\n");
    heads.put("long name", GET + "a".repeat(2000) + ": b\r\n\r\n");
  }

  private static void bodies(Map<String, String> heads) {
    for (String length :
        new String[] {
          "0", "00", "5", "  7 ", "0200", "9223372036854775807", "0".repeat(40) + "1"
        }) {
      heads.put("9112-6.2 length " + length, GET + "Content-Length: " + length + "\r\n\r\n");
    }
    heads.put("9112-7.1 chunked", GET + "Transfer-Encoding: chunked\r\n\r\n");
    heads.put("9112-7.1 CHUNKED", GET + "TRANSFER-ENCODING:\tCHUNKED \r\n\r\n");
    heads.put("9110-10.1.1 continue", GET + "Content-Length: 1\r\nExpect: 100-Continue\r\n\r\n");
    heads.put("9110-10.1.1 in 1.0", "GET / HTTP/1.0\r\nExpect: 200-ok\r\n\r\n");
    heads.put("underscored length", GET + "Content_Length: 5\r\nTransfer_Encoding: x\r\n\r\n");
  }

  private static void connections(Map<String, String> heads) {
    for (String options :
        new String[] {
          "close",
          "Close",
          "keep-alive",
          "Keep-Alive",
          "upgrade",
          "close, keep-alive",
          "a,b , close",
          ",, close ,",
          "",
          "closed",
          "not-close",
          "keep-alive,upgrade",
          "Upgrade, HTTP2-Settings"
        }) {
      heads.put("9110-7.6.1 " + options, GET + "Connection: " + options + "\r\nUpgrade: w\r\n\r\n");
      heads.put(
          "9110-7.6.1 1.0 " + options,
          "GET / HTTP/1.0\r\nConnection: " + options + "\r\nUpgrade: w\r\n\r\n");
    }
    heads.put("9110-7.6.1 two", GET + "Connection: a\r\nB: c\r\nConnection: close\r\n\r\n");
  }

  private static void real(Map<String, String> heads) {
    heads.put(
        "curl",
        lines("GET / HTTP/1.1", "Host: localhost:8080", "User-Agent: curl/8.11.0", "Accept: */*"));
    heads.put(
        "wrk",
        lines(
            "GET /plaintext HTTP/1.1",
            "Host: tfb:8080",
            "User-Agent: wrk",
            "Accept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.7",
            "Connection: keep-alive"));
    heads.put(
        "browser",
        lines(
            "POST /catalogue/tents?colour=green&ref=cat_17 HTTP/1.1",
            "Host: shop.example.com",
            "Connection: keep-alive",
            "Content-Length: 27",
            "Cache-Control: max-age=0",
            "sec-ch-ua: \"Chromium\";v=\"131\", \"Not_A Brand\";v=\"24\"",
            "sec-ch-ua-mobile: ?0",
            "sec-ch-ua-platform: \"Linux\"",
            "Upgrade-Insecure-Requests: 1",
            "DNT: 1",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
            "Accept: text/html,application/xhtml+xml,*/*;q=0.8",
            "Sec-Fetch-Site: none",
            "Sec-Fetch-Mode: navigate",
            "Sec-Fetch-User: ?1",
            "Accept-Encoding: gzip, deflate, br, zstd",
            "Accept-Language: de-DE,de;q=0.9",
            "If-None-Match: W/\"0815\"",
            "X-Forwarded-For: 10.0.0.1",
            "x-request-id: 4711",
            "Cookie: id=a3fWa; theme=light; _ga=GA1.2.3"));
    heads.put(
        "WebSocket",
        lines(
            "GET /chat HTTP/1.1",
            "Host: a",
            "Upgrade: websocket",
            "Connection: keep-alive, Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Extensions: permessage-deflate"));
  }

  private static String lines(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  private static String visible() {
    var text = new StringBuilder();
    for (char c = '!'; c <= '~'; c++) {
      text.append(c);
    }
    return text.toString();
  }
}
