package dev.peregrine.server.start;

import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Heads of the kinds that a server meets, and the time that a parser takes for all of them. */
final class SampleHeads implements ToLongFunction<RequestParser> {
  private static final int SLACK_BYTES = 64;

  // Lines of heads end in CRLF once they are used.

  /** Common heads, for which the compiler optimises. */
  private static final String USUAL =
      """
      GET /plaintext HTTP/1.1
      Host: localhost:8080
      Accept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7
      Connection: keep-alive

      %%
      GET / HTTP/1.1
      Host: www.example.org
      Connection: keep-alive
      User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Firefox/140
      Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
      Accept-Encoding: gzip, deflate, br
      Accept-Language: en-US,en;q=0.5
      Cookie: session=0123456789abcdef; theme=dark
      Sec-Fetch-Mode: navigate

      %%
      POST /api/v1/orders?dry_run=true&page=2 HTTP/1.1
      Host: api.example.org:8443
      Content-Type: application/json
      Content-Length: 17
      Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789._-ABCDEFGHIJ
      X-Request-Id: 7d1c9b

      """;

  /** Heads of every other kind, so that the compiler keeps the branches for them. */
  private static final String ODD =
      """
      PUT /files/%C3%A4.txt HTTP/1.1
      host: h
      transfer-encoding: chunked
      Expect: 100-continue
      TE: trailers

      %%
      GET /legacy HTTP/1.1
      Host: api.example.org
      x_legacy_name: a\tb
      X-Name: J\u00fcrgen

      %%
      GET /chat HTTP/1.1
      Host: [::1]:8080
      Upgrade: websocket
      Connection: Upgrade
      Sec-WebSocket-Version: 13
      Empty:
      Spaces:   x

      %%
      GET http://example.org/a/b/c HTTP/1.1
      Host: example.org

      %%
      OPTIONS * HTTP/1.1
      Host: a

      %%
      GET / HTTP/1.0
      Connection: close

      %%
      GET /bad HTTP/1.1
      Host: a
      Broken : x

      %%
      GET /part HTTP/1.1
      Host: a
      Not-Finis\
      """;

  /** The number of parses from one odd head to the next; a sample has each odd head once. */
  private static final int PARSES_PER_ODD_HEAD = 8;

  private final List<MemorySegment> usual = heads(USUAL);
  private final List<MemorySegment> odd = heads(ODD);
  private final RequestHead head = new RequestHead();

  /** Returns the nanoseconds of one pass over the heads. */
  @Override
  public long applyAsLong(RequestParser parser) {
    long start = System.nanoTime();
    for (int i = 0; i < odd.size(); i++) {
      for (int j = 1; j < PARSES_PER_ODD_HEAD; j++) {
        parse(parser, usual.get(j % usual.size()));
      }
      parse(parser, odd.get(i));
    }
    return System.nanoTime() - start;
  }

  private void parse(RequestParser parser, MemorySegment bytes) {
    head.reset();
    parser.parse(bytes, 0, (int) bytes.byteSize() - SLACK_BYTES, head);
  }

  /** Returns copies of heads, each followed by bytes that the scanner may load. */
  private static List<MemorySegment> heads(String samples) {
    List<MemorySegment> heads = new ArrayList<>();
    for (String sample : List.of(samples.replace("\n", "\r\n").split("%%\r\n"))) {
      byte[] bytes = sample.getBytes(StandardCharsets.ISO_8859_1);
      MemorySegment segment =
          MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes.length + SLACK_BYTES));
      MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
      heads.add(segment);
    }
    return heads;
  }
}
