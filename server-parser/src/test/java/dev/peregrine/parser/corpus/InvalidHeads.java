package dev.peregrine.parser.corpus;

import dev.peregrine.protocol.Rejection;
import java.util.ArrayList;
import java.util.List;

/** Heads that a server must reject, by section, with the reason. */
public final class InvalidHeads {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";

  /** A head and the reason for its rejection. */
  public record Invalid(String name, String head, Rejection reason) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final List<Invalid> heads = new ArrayList<>();

  private InvalidHeads() {}

  public static List<Invalid> all() {
    var invalid = new InvalidHeads();
    invalid.addRequestLines();
    invalid.addTargets();
    invalid.addHosts();
    invalid.addFieldLines();
    invalid.addBodies();
    return invalid.heads;
  }

  private void addRequestLines() {
    add("9112-2.2 third empty line", "\r\n\r\n\r\n" + GET + "\r\n", Rejection.TOO_MANY_EMPTY_LINES);
    add("9112-2.2 bare LF before", "\n" + GET + "\r\n", Rejection.BARE_LINE_FEED);
    add("9112-2.2 bare CR before", "\r" + GET + "\r\n", Rejection.BARE_CARRIAGE_RETURN);
    add("9112-2.2 CR CR LF", "\r\r\n" + GET + "\r\n", Rejection.BARE_CARRIAGE_RETURN);
    for (char c : new char[] {0, 1, '\t', 0x7F, 0x80, 0xFF, '(', '@', '{', '"', ':', '/', '\\'}) {
      line("9110-9.1 method with " + (int) c, "G" + c + "T / HTTP/1.1", Rejection.METHOD_INVALID);
      line(
          "9110-9.1 method starts with " + (int) c, c + "GET / HTTP/1.1", Rejection.METHOD_INVALID);
    }
    line("9112-3 no method", " / HTTP/1.1", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 blank line", "   ", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 method alone", "GET", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 two spaces before target", "GET  / HTTP/1.1", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 HTTP/0.9", "GET /", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 no target", "GET HTTP/1.1", Rejection.REQUEST_LINE_MALFORMED);
    line("9112-3 two spaces before version", "GET /  HTTP/1.1", Rejection.VERSION_MALFORMED);
    line("9112-3 space behind version", "GET / HTTP/1.1 ", Rejection.VERSION_MALFORMED);
    line("9112-3 space in target", "GET /a b HTTP/1.1", Rejection.VERSION_MALFORMED);
    line("9112-3 tab before target", "GET\t/ HTTP/1.1", Rejection.METHOD_INVALID);
    line("9112-3 tab before version", "GET /\tHTTP/1.1", Rejection.TARGET_CHARACTER_INVALID);
    for (String version :
        new String[] {
          "",
          "H",
          "http/1.1",
          "HTTP/1",
          "HTTP/1.",
          "HTTP/.1",
          "HTTP/1.1.1",
          "HTTP/01.1",
          "HTTP/1.10",
          "HTTP/a.1",
          "HTTP/1,1",
          "HTTP 1.1",
          "HTTPS/1.1",
          "RTSP/1.0",
          "ICE/1.0",
          "HTTP/1.1a",
          "HTTP/1.\u00b1"
        }) {
      line("9112-2.3 version '" + version + "'", "GET / " + version, Rejection.VERSION_MALFORMED);
    }
    for (String version :
        new String[] {"HTTP/0.9", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/0.0"}) {
      line("9110-15.6.6 " + version, "GET / " + version, Rejection.VERSION_NOT_SUPPORTED);
    }
    add("9113-3.4 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Rejection.VERSION_NOT_SUPPORTED);
    add("9112-2.2 line ends with LF", "GET / HTTP/1.1\nHost: a\r\n\r\n", Rejection.BARE_LINE_FEED);
    add(
        "9112-2.2 line ends with CR",
        "GET / HTTP/1.1\rHost: a\r\n\r\n",
        Rejection.BARE_CARRIAGE_RETURN);
    add(
        "9112-2.2 line ends with CR CR LF",
        "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
        Rejection.BARE_CARRIAGE_RETURN);
    add(
        "9112-3 LF behind method",
        "GET\n/ HTTP/1.1\r\nHost: a\r\n\r\n",
        Rejection.REQUEST_LINE_MALFORMED);
    add("TLS hello", "\u0016\u0003\u0001\u0002\u0000\u0001", Rejection.METHOD_INVALID);
  }

  private void addTargets() {
    for (char c : "\"<>\\^`{|}#[]\u0000\u0001\u001b\u007f\u0080\u00e9\u00ff".toCharArray()) {
      target("9112-3.2 path with " + (int) c, "/a" + c + "b", Rejection.TARGET_CHARACTER_INVALID);
      target("9112-3.2 query with " + (int) c, "/a?" + c, Rejection.TARGET_CHARACTER_INVALID);
    }
    target(
        "9112-3.2 late illegal", "/" + "a".repeat(100) + "|", Rejection.TARGET_CHARACTER_INVALID);
    target("9112-3.2.2 bracket in path", "http://a/[b", Rejection.TARGET_CHARACTER_INVALID);
    for (String target :
        new String[] {"/%", "/%2", "/%2g", "/%g2", "/?%", "/%%20", "http://a/%z"}) {
      target("3986-2.1 " + target, target, Rejection.TARGET_ENCODING_INVALID);
    }
    for (String target :
        new String[] {
          "a",
          "*",
          "**",
          "*/",
          "?",
          "?a",
          "a/b",
          "a:80",
          "example.com",
          "urn:a:b",
          "http:",
          "http:/a",
          "http//a",
          ":",
          "@",
          "%41",
          "1a://a/",
          "+://a/",
          "a_b://a/",
          "http:/a/b",
          "ftp:a"
        }) {
      target("9112-3.2 form " + target, target, Rejection.TARGET_FORM_INVALID);
    }
    for (String target :
        new String[] {
          "http://",
          "http:///",
          "http://?",
          "http://:80/",
          "http://a:b/",
          "http://a:65536/",
          "http://[::1/",
          "http://a:80:80/",
          "http://[a]/",
          "http://[]/",
          "http://a%4/",
          "http://[::1]a/",
          "http://a]/"
        }) {
      target("9110-4.2.1 " + target, target, Rejection.TARGET_AUTHORITY_INVALID);
    }
    target("9110-4.2.4 user", "http://a@b/", Rejection.TARGET_USERINFO);
    target("9110-4.2.4 user and password", "http://a:b@c/", Rejection.TARGET_USERINFO);
    target("backslash before at", "http://a\\@b/", Rejection.TARGET_CHARACTER_INVALID);
    for (String target :
        new String[] {
          "/", "a", "a:", ":80", "a:b", "a:65536", "http://a/", "*", "a@b:80", "[::1]", "a:80/"
        }) {
      line(
          "9112-3.2.3 CONNECT " + target,
          "CONNECT " + target + " HTTP/1.1",
          Rejection.TARGET_FORM_INVALID);
    }
    line("9112-3.2.4 asterisk for HEAD", "HEAD * HTTP/1.1", Rejection.TARGET_FORM_INVALID);
  }

  private void addHosts() {
    add("9112-3.2 no Host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", Rejection.HOST_MISSING);
    add("9112-3.2 no field", "GET / HTTP/1.1\r\n\r\n", Rejection.HOST_MISSING);
    add("9112-3.2 absolute without Host", "GET http://a/ HTTP/1.1\r\n\r\n", Rejection.HOST_MISSING);
    add("9112-3.2 two", GET + "Host: b\r\n\r\n", Rejection.HOST_REPEATED);
    add("9112-3.2 two equal", GET + "A: b\r\nhOST: a\r\n\r\n", Rejection.HOST_REPEATED);
    add(
        "9112-3.2 two in 1.0",
        "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
        Rejection.HOST_REPEATED);
    for (String host :
        new String[] {
          "a@b",
          "a/b",
          "a?b",
          "a b",
          "a, b",
          "a\tb",
          "a:b",
          "a:80:80",
          ":80",
          ":",
          "a:65536",
          "a:65540",
          "a:70000",
          "a:99999",
          "a:6553a",
          "a:a5535",
          "a.example.com:65536",
          "a:100000",
          "a:99999999999",
          "[::1",
          "::1",
          "[::1]a",
          "[]",
          "[1:2:3:4:5:6:7]",
          "[1:2:3:4:5:6:7:8:9]",
          "[1::2::3]",
          "[:1]",
          "[1:]",
          "[12345::]",
          "[g::]",
          "[::1.2.3]",
          "[::1.2.3.256]",
          "[::01.2.3.4]",
          "[1:2:3:4:5:6:7:1.2.3.4]",
          "[1:2:3:4:5:6:7::8]",
          "[v.a]",
          "[v1.]",
          "[vg.a]",
          "[:::]",
          "[1.2.3.4]",
          "a[b]",
          "a\"b",
          "a<b",
          "a%4",
          "a%zz",
          "a%",
          "a\\b",
          "\u00e9",
          "a#b",
          "a^b",
          "a|b",
          "[fe80::1%25eth0]",
          "http://a",
          "a-b-c-d-e-f-g-h-i{"
        }) {
      add(
          "3986-3.2.2 Host " + host,
          "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
          Rejection.HOST_INVALID);
    }
  }

  private void addFieldLines() {
    for (char c :
        "()<>@,;\\\"/[]?={}\u0001\u0008\u001b\u007f\u0080\u00e9\u00ff\u0000".toCharArray()) {
      field("9110-5.1 name with " + (int) c, "A" + c + "b: c", Rejection.FIELD_NAME_INVALID);
      field("9110-5.1 name starts with " + (int) c, c + "b: c", Rejection.FIELD_NAME_INVALID);
      field(
          "9110-5.1 name ends with " + (int) c,
          "n".repeat(60) + c + ": c",
          Rejection.FIELD_NAME_INVALID);
    }
    for (char c = 0; c < 0x20; c++) {
      if (c != '\t' && c != '\r' && c != '\n') {
        field("9110-5.5 value with " + (int) c, "A: b" + c + "d", Rejection.FIELD_VALUE_INVALID);
        field("9110-5.5 value starts with " + (int) c, "A:" + c, Rejection.FIELD_VALUE_INVALID);
      }
    }
    field("9110-5.5 DEL", "A: b\u007f", Rejection.FIELD_VALUE_INVALID);
    field("9110-5.5 late NUL", "A: " + "v".repeat(200) + "\u0000", Rejection.FIELD_VALUE_INVALID);
    field("9112-5.1 space before colon", "A : b", Rejection.FIELD_SPACE_BEFORE_COLON);
    field("9112-5.1 tab before colon", "A\t: b", Rejection.FIELD_SPACE_BEFORE_COLON);
    field("9112-5.1 space in name", "A b: c", Rejection.FIELD_SPACE_BEFORE_COLON);
    field("9112-5.1 coding", "Transfer-Encoding : chunked", Rejection.FIELD_SPACE_BEFORE_COLON);
    field("9110-5.1 no name", ": b", Rejection.FIELD_NAME_EMPTY);
    field("9112-5 no colon", "Abc", Rejection.FIELD_COLON_MISSING);
    field("9112-5 no colon, then one", "Abc\r\nD: e", Rejection.FIELD_COLON_MISSING);
    field("9112-5.2 folded", "A: b\r\n c", Rejection.FIELD_LINE_FOLDED);
    field("9112-5.2 folded by tab", "A: b\r\n\tc: d", Rejection.FIELD_LINE_FOLDED);
    field("9112-5.2 folded empty", "A: b\r\n \r\nC: d", Rejection.FIELD_LINE_FOLDED);
    add(
        "9112-2.2 space before first",
        "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
        Rejection.FIELD_SPACE_BEFORE_FIRST);
    add(
        "9112-2.2 blank first",
        "GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n",
        Rejection.FIELD_SPACE_BEFORE_FIRST);
    field("9112-2.2 LF ends line", "A: b\nC: d", Rejection.BARE_LINE_FEED);
    field("9112-2.2 LF ends empty value", "A:\nC: d", Rejection.BARE_LINE_FEED);
    field("9112-2.2 CR in value", "A: b\rC: d", Rejection.BARE_CARRIAGE_RETURN);
    field("9112-2.2 CR CR LF", "A: b\r\r\nC: d", Rejection.BARE_CARRIAGE_RETURN);
    field("9112-2.2 CR in name", "A\rb: c", Rejection.FIELD_COLON_MISSING);
    add("9112-2.2 CR CR LF at the end", GET + "\r\r\n", Rejection.BARE_CARRIAGE_RETURN);
    add("9112-2.2 CR CR CR at the end", GET + "\r\r\r", Rejection.BARE_CARRIAGE_RETURN);
    add("9112-2.2 LF at the end", GET + "\n\r\n", Rejection.FIELD_COLON_MISSING);
    add("9112-2.2 LF LF at the end", "GET / HTTP/1.1\r\nHost: a\n\n", Rejection.BARE_LINE_FEED);
  }

  private void addBodies() {
    for (String length :
        new String[] {
          "",
          "+5",
          "-5",
          "-0",
          "5 5",
          "0x5",
          "5,5",
          "5, 5",
          "5,",
          ",5",
          "1_0",
          "5;",
          "5.0",
          "abc",
          "\u00b2",
          "9223372036854775808",
          "18446744073709551617",
          "99999999999999999999",
          "5\t5"
        }) {
      field(
          "9112-6.3 length " + length,
          "Content-Length: " + length,
          Rejection.CONTENT_LENGTH_INVALID);
    }
    field(
        "9112-6.3 two lengths",
        "Content-Length: 5\r\nContent-Length: 6",
        Rejection.CONTENT_LENGTH_REPEATED);
    field(
        "9112-6.3 equal lengths",
        "Content-Length: 5\r\ncontent-length: 5",
        Rejection.CONTENT_LENGTH_REPEATED);
    field(
        "9112-6.3 both",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        Rejection.CONTENT_LENGTH_WITH_TRANSFER_ENCODING);
    field(
        "9112-6.3 both, other order",
        "Content-Length: x\r\nTransfer-Encoding: gzip",
        Rejection.CONTENT_LENGTH_WITH_TRANSFER_ENCODING);
    add(
        "9112-6.1 in 1.0",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        Rejection.TRANSFER_ENCODING_IN_HTTP_1_0);
    for (String coding :
        new String[] {
          "gzip, chunked", "xchunked, chunked", "identity,chunked", "br;q=1, gzip, chunked"
        }) {
      coding("9112-6.1 " + coding, coding, Rejection.TRANSFER_CODING_UNKNOWN);
    }
    for (String coding :
        new String[] {
          "chunked, gzip",
          "chunked, chunked",
          "chunked,identity",
          "gzip, chunked, br",
          "gzip",
          "xchunked",
          "identity",
          "chunkedchunked",
          "br;q=1",
          "chunke"
        }) {
      coding("9112-6.3 " + coding, coding, Rejection.TRANSFER_ENCODING_NOT_CHUNKED_LAST);
    }
    for (String coding :
        new String[] {
          "",
          ",",
          ", chunked",
          "chunked,",
          "chunked;a=b",
          "chunked ;a",
          "\"chunked\"",
          "chunked chunked",
          "gzip,,chunked",
          "@"
        }) {
      coding("9112-6.1 syntax " + coding, coding, Rejection.TRANSFER_ENCODING_INVALID);
    }
    field(
        "9112-6.3 two chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        Rejection.TRANSFER_ENCODING_NOT_CHUNKED_LAST);
    field(
        "9112-6.1 two codings",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
        Rejection.TRANSFER_CODING_UNKNOWN);
    field("9112-5.2 folded coding", "Transfer-Encoding:\r\n chunked", Rejection.FIELD_LINE_FOLDED);
    for (String expectation :
        new String[] {
          "200-ok", "100-continued", "100-continue, x", "100-continue;a=b", "\"100-continue\""
        }) {
      field("9110-10.1.1 " + expectation, "Expect: " + expectation, Rejection.EXPECTATION_UNKNOWN);
    }
  }

  private void line(String name, String line, Rejection reason) {
    add(name, line + "\r\nHost: a\r\n\r\n", reason);
  }

  private void target(String name, String target, Rejection reason) {
    line(name, "GET " + target + " HTTP/1.1", reason);
  }

  private void field(String name, String line, Rejection reason) {
    add(name, GET + line + "\r\n\r\n", reason);
    add(
        name + ", behind others",
        GET + "User-Agent: " + "u".repeat(50) + "\r\nB: c\r\n" + line + "\r\nZ: z\r\n\r\n",
        reason);
  }

  private void coding(String name, String coding, Rejection reason) {
    field(name, "Transfer-Encoding: " + coding, reason);
  }

  private void add(String name, String head, Rejection reason) {
    heads.add(new Invalid(name, head, reason));
  }
}
