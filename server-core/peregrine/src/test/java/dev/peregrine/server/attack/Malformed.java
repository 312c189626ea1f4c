package dev.peregrine.server.attack;

import java.util.ArrayList;
import java.util.List;

/**
 * Requests whose end the RFC defines differently, or that other servers have read in two ways.
 *
 * @param row in the table of attacks of docs/SECURITY.md
 * @param bytes the request, one char per byte
 * @param status the answer, if the application asks for the content
 */
record Malformed(String row, String bytes, int status) {
  private static final String END = "\r\n\r\n";
  private static final String GET = "GET / HTTP/1.1\r\n";
  private static final String HOST = "Host: a\r\n";
  private static final String POST = "POST /read HTTP/1.1\r\n" + HOST;
  private static final String CHUNKED = POST + "Transfer-Encoding: chunked" + END;

  @Override
  public String toString() {
    String text = bytes.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\0");
    return row + " " + (text.length() > 120 ? text.substring(0, 120) + "…" : text);
  }

  /** T1 to T6: chunked content without an end, or with two possible ends. */
  static List<Malformed> chunks() {
    List<Malformed> all = new ArrayList<>();
    add(all, "T1", 400, CHUNKED, List.of("2;a\nxx\r\n0\r\n\r\n", "2\nxx\r\n0\r\n\r\n"));
    add(all, "T1", 400, CHUNKED, List.of("2;a=\nxx\r\n0\r\n\r\n", "2;\nxx\r\n0\r\n\r\n"));
    add(all, "T1", 400, CHUNKED, List.of("2;a\rxx\r\n0\r\n\r\n", "2\rxx\r\n0\r\n\r\n"));
    add(all, "T1", 400, CHUNKED, List.of("2\r\nxx\n0\r\n\r\n", "2\r\nxx\r\n0\n\n", "0\r\n\n"));
    add(all, "T2", 400, CHUNKED, List.of("1;ext=\"val\r\nX\r\n0\r\n\r\n"));
    add(
        all,
        "T2",
        400,
        CHUNKED,
        List.of("1;ext=\"\\\r\nX\r\n0\r\n\r\n", "1;a=\"\0\"\r\nX\r\n0\r\n\r\n"));
    add(all, "T4", 400, CHUNKED, List.of("2\r\nxxXX0\r\n\r\n", "2\r\nxxX\n0\r\n\r\n"));
    add(all, "T4", 400, CHUNKED, List.of("2\r\nxx\r\r\n0\r\n\r\n", "2\r\nxxx\r\n0\r\n\r\n"));
    add(all, "T5", 400, CHUNKED, List.of("FFFFFFFFFFFFFFFF1\r\n", "FFFFFFFFFFFFFFFF\r\n"));
    add(all, "T5", 400, CHUNKED, List.of("8000000000000000\r\n", "00000000000000000\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of("+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of("0x5\r\nhello\r\n0\r\n\r\n", "5_0\r\nhello\r\n0\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of(" 5\r\nhello\r\n0\r\n\r\n", "\t5\r\nhello\r\n0\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of("\r\nhello\r\n0\r\n\r\n", "5g\r\nhello\r\n0\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of(";a\r\nhello\r\n0\r\n\r\n", "5,5\r\nhello\r\n0\r\n\r\n"));
    add(all, "T6", 400, CHUNKED, List.of("5 \r\nhello\r\n0\r\n\r\n", "5\0\r\nhello\r\n0\r\n\r\n"));
    return all;
  }

  /** T5: chunk sizes that are legal, but more than a small limit on content allows. */
  static List<Malformed> hugeChunks() {
    List<Malformed> all = new ArrayList<>();
    for (String size :
        List.of("80000000", "7FFFFFFF", "FFFFFFFF", "100000005", "7FFFFFFFFFFFFFFF")) {
      add(all, "T5", 413, CHUNKED, List.of(size + "\r\n" + "x".repeat(2000)));
    }
    return all;
  }

  /** T7 to T10: heads that declare no valid length of the content, or two. */
  static List<Malformed> framings() {
    List<Malformed> all = new ArrayList<>();
    for (String length :
        List.of(
            "+5", "-5", "5 5", "0x5", "5,5", "5, 5", "", "12345678901234567890", "5;", "\"5\"")) {
      add(all, "T7", 400, POST, List.of("Content-Length: " + length + END + "hello"));
    }
    add(all, "T7", 400, POST, List.of("Content-Length: 5\r\nContent-Length: 5" + END + "hello"));
    add(all, "T7", 400, POST, List.of("Content-Length: 5\r\nContent-Length: 6" + END + "hello"));
    add(all, "T7", 400, POST, List.of("Content-Length: \0135" + END + "hello"));
    String both = "Content-Length: 6\r\nTransfer-Encoding: chunked" + END + "0\r\n\r\nG";
    String bothTurned = "Transfer-Encoding: chunked\r\nContent-Length: 4" + END + "0\r\n\r\n";
    add(all, "T8", 400, POST, List.of(both, bothTurned));
    add(
        all,
        "T8",
        400,
        "POST /read HTTP/1.0\r\n",
        List.of("Transfer-Encoding: chunked" + END + "0\r\n\r\n"));
    for (String coding :
        List.of(
            "chunked, gzip",
            "chunked, chunked",
            "chunked,",
            "",
            "chun ked",
            "\"chunked\"",
            "chunked;q=1",
            "\013chunked",
            "chunked\0")) {
      add(all, "T9", 400, POST, List.of("Transfer-Encoding: " + coding + END + "0\r\n\r\n"));
    }
    for (String coding : List.of("xchunked", "identity", "gzip, chunked")) {
      add(all, "T9", 501, POST, List.of("Transfer-Encoding: " + coding + END + "0\r\n\r\n"));
    }
    add(
        all,
        "T9",
        400,
        POST,
        List.of(
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked" + END + "0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity" + END + "0\r\n\r\n",
            "Transfer-Encoding:\r\n chunked" + END + "0\r\n\r\n",
            "Transfer-Encoding: x\r\n\tchunked" + END + "0\r\n\r\n",
            "Transfer-Encoding: chunked, xchunked" + END + "0\r\n\r\n"));
    add(
        all,
        "T10",
        400,
        POST,
        List.of(
            "Transfer-Encoding : chunked" + END + "0\r\n\r\n",
            "Transfer-Encoding\t: chunked" + END + "0\r\n\r\n",
            "Content-Length : 5" + END + "hello",
            " Transfer-Encoding: chunked" + END + "0\r\n\r\n"));
    return all;
  }

  /** T11 to T17, T41, T45: malformed request lines and fields. */
  static List<Malformed> heads() {
    List<Malformed> all = new ArrayList<>();
    for (char control : new char[] {0, 1, 8, 0x0B, 0x0C, 0x1F, 0x7F}) {
      add(
          all,
          "T11",
          400,
          GET + HOST,
          List.of(control + "Name: v" + END, "Name" + control + ": v" + END));
    }
    for (char control : new char[] {0, 1, 9, 0x0B, 0x1B, 0x7F}) {
      add(all, "T12", 400, "", List.of(control + GET + HOST + "\r\n"));
      add(all, "T12", 400, "\r\n", List.of(control + GET + HOST + "\r\n"));
    }
    add(
        all,
        "T13",
        400,
        GET + "Host: a",
        List.of("\r\r\n", "\n\r\n", "\r\n\r\r", "\n\n", "\r\n\n", "\r\r", "\r\nA: b\r\r\n\r\n"));
    for (char odd : new char[] {'@', '(', ')', ',', '/', '[', '{', '"', 0x80, 0xFF, '\t', ' '}) {
      add(all, "T14", 400, GET + HOST, List.of("X" + odd + "Y: v" + END));
    }
    add(
        all,
        "T15",
        400,
        GET,
        List.of(
            " Host: a" + END,
            "\tHost: a" + END,
            HOST + "no colon" + END,
            HOST + ": no name" + END,
            HOST + "A: b\r\n folded" + END,
            HOST + "A: b\r\n\tfolded" + END,
            HOST + "A: b\r\n " + END));
    for (String host :
        List.of(
            "a@b",
            "a/b",
            "[::1",
            "::1",
            "a:b",
            "a:99999999",
            "a b",
            "[::1]x",
            "a\\b",
            "a#b",
            "a?b",
            "[v]",
            "a%zz",
            "http://a")) {
      add(all, "T16", 400, GET, List.of("Host: " + host + END));
    }
    add(
        all,
        "T16",
        400,
        GET,
        List.of("\r\n", "Host: a\r\nHost: a" + END, "Host: a\r\nhost: b" + END));
    for (char odd : new char[] {0, 1, 9, 0x1F, 0x7F, 0x80, 0xE4, 0xFF, '"', '<', '\\', '^', '{'}) {
      add(all, "T17", 400, "", List.of("GET /a" + odd + "b HTTP/1.1\r\n" + HOST + "\r\n"));
    }
    add(
        all,
        "T17",
        400,
        "",
        List.of(
            "GET /a b HTTP/1.1\r\n" + HOST + "\r\n",
            "GET  / HTTP/1.1\r\n" + HOST + "\r\n",
            "GET /  HTTP/1.1\r\n" + HOST + "\r\n",
            "GET / HTTP/1.1 \r\n" + HOST + "\r\n",
            "GET /\tHTTP/1.1\r\n" + HOST + "\r\n",
            "GET / http/1.1\r\n" + HOST + "\r\n",
            "GET / HTTP/1.1x\r\n" + HOST + "\r\n",
            "GET /\r\n" + HOST + "\r\n",
            "GET\r\n" + HOST + "\r\n"));
    add(
        all,
        "T41",
        400,
        "",
        List.of(
            "GET http://a\\@b/ HTTP/1.1\r\n" + HOST + "\r\n",
            "GET http://u@a/ HTTP/1.1\r\n" + HOST + "\r\n",
            "GET http:///x HTTP/1.1\r\n" + HOST + "\r\n",
            "GET ftp://a/ HTTP/1.1\r\n" + HOST + "\r\n",
            "GET a/b HTTP/1.1\r\n" + HOST + "\r\n",
            "GET * HTTP/1.1\r\n" + HOST + "\r\n",
            "GET /%2 HTTP/1.1\r\n" + HOST + "\r\n",
            "GET /%zz HTTP/1.1\r\n" + HOST + "\r\n",
            "GET /a#b HTTP/1.1\r\n" + HOST + "\r\n",
            "CONNECT /x HTTP/1.1\r\n" + HOST + "\r\n"));
    add(all, "T45", 400, "", List.of("GET /\u001B[2J HTTP/1.1\r\n" + HOST + "\r\n"));
    return all;
  }

  private static void add(
      List<Malformed> all, String row, int status, String before, List<String> behind) {
    for (String bytes : behind) {
      all.add(new Malformed(row, before + bytes, status));
    }
  }
}
