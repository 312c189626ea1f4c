package dev.peregrine.server.testing;

import dev.peregrine.protocol.HeaderName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response to a {@link TestRequest}, as a client of HTTP/1.1 receives it. Immutable. */
public final class TestResponse {
  private static final int STATUS_START = 9; // after "HTTP/1.1 "
  private static final int STATUS_END = 12;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final String LINE_END = "\r\n";

  private final int status;
  private final List<String> fieldLines;
  private final byte[] content;
  private final boolean complete;

  private TestResponse(int status, List<String> fieldLines, byte[] content, boolean complete) {
    this.status = status;
    this.fieldLines = List.copyOf(fieldLines);
    this.content = content;
    this.complete = complete;
  }

  /**
   * Reads the bytes of one response, after interim responses, which are left out.
   *
   * @param method of the request
   * @throws IllegalStateException if there is no response
   */
  static TestResponse parse(String method, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int from = 0;
    while (true) {
      int end = text.indexOf(LINE_END + LINE_END, from);
      if (end < 0) {
        throw new IllegalStateException("the server has closed the connection without a response");
      }
      List<String> lines = List.of(text.substring(from, end).split(LINE_END));
      int status = Integer.parseInt(lines.getFirst(), STATUS_START, STATUS_END, 10);
      from = end + 2 * LINE_END.length();
      if (status >= OK || status == SWITCHING_PROTOCOLS) {
        byte[] rest = Arrays.copyOfRange(bytes, from, bytes.length);
        return withContent(method, status, lines.subList(1, lines.size()), rest);
      }
    }
  }

  private static TestResponse withContent(
      String method, int status, List<String> fieldLines, byte[] rest) {
    TestResponse head = new TestResponse(status, fieldLines, rest, true);
    String length = head.header(HeaderName.CONTENT_LENGTH);
    if (method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED) {
      return new TestResponse(status, fieldLines, new byte[0], true);
    } else if (head.header(HeaderName.TRANSFER_ENCODING) != null) {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      boolean complete = readChunks(rest, content);
      return new TestResponse(status, fieldLines, content.toByteArray(), complete);
    } else if (length != null) {
      return new TestResponse(status, fieldLines, rest, rest.length == Integer.parseInt(length));
    }
    return head;
  }

  /** Copies the content of chunks. Returns false if the last one is missing. */
  private static boolean readChunks(byte[] bytes, ByteArrayOutputStream content) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = 0;
    while (true) {
      int end = text.indexOf(LINE_END, at);
      if (end < 0) {
        return false;
      }
      int size = Integer.parseInt(text, at, end, 16);
      if (size == 0) {
        return true;
      }
      int start = end + LINE_END.length();
      int count = Math.min(size, bytes.length - start);
      content.write(bytes, start, count);
      at = start + count + LINE_END.length();
      if (at > bytes.length) {
        return false;
      }
    }
  }

  /** Returns the status. */
  public int status() {
    return status;
  }

  /** Returns the value of the first field of that name, compared case-insensitively; or null. */
  public @Nullable String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /** Returns the values of all fields of that name, compared case-insensitively. */
  public List<String> headers(String name) {
    List<String> values = new ArrayList<>();
    for (String line : fieldLines) {
      int colon = line.indexOf(':');
      if (line.substring(0, colon).equalsIgnoreCase(name)) {
        values.add(line.substring(colon + 1).strip());
      }
    }
    return values;
  }

  /** Returns a copy of the content, as far as it was sent, without its framing. */
  public byte[] content() {
    return content.clone();
  }

  /** Returns the content, read as UTF-8. */
  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Returns false if the response was cut short, because the handler failed after its begin. */
  public boolean isComplete() {
    return complete;
  }

  /** Returns the status, the fields and the length of the content, for messages of tests. */
  @Override
  public String toString() {
    return status + " " + fieldLines + " " + content.length + " bytes";
  }
}
