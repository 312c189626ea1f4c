package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.util.List;

/** Writes the responses of a server for a test, in the text of HTTP/1.1. */
final class ResponseText {
  private final BytePipe target;
  private boolean chunked;

  ResponseText(BytePipe target) {
    this.target = target;
  }

  void interim(List<Field> fields) throws IOException {
    write(GatewayHead.text(fields, ""));
  }

  /** Writes a head that makes a tunnel. */
  void tunnel(GatewayHead of, List<Field> fields) throws IOException {
    checkNames(fields);
    chunked = false;
    write(of.tunnelText(fields));
  }

  /**
   * Writes a head.
   *
   * @param end whether it is the whole response
   * @param last whether no request is sent after that one
   */
  void head(GatewayHead of, List<Field> fields, boolean end, boolean last) throws IOException {
    checkNames(fields);
    String status = fields.getFirst().value();
    boolean lengthKnown = fields.stream().anyMatch(field -> field.name().equals("content-length"));
    boolean without = status.equals("204") || status.equals("304") || of.method.equals("HEAD");
    chunked = !end && !lengthKnown;
    String framing = "";
    if (chunked) {
      framing = "Transfer-Encoding: chunked\r\n";
    } else if (end && !lengthKnown && !without) {
      framing = "Content-Length: 0\r\n";
    }
    write(GatewayHead.text(fields, framing + (last ? "Connection: close\r\n" : "")));
  }

  private static void checkNames(List<Field> fields) {
    for (Field field : fields) {
      if (GatewayHead.OF_CONNECTIONS.contains(field.name())) {
        throw new AssertionError(field.name() + " in " + fields);
      }
    }
  }

  /** Writes content; the runnable is called when the test has read it. */
  void content(byte[] content, Runnable whenRead) throws IOException {
    if (content.length == 0) {
      whenRead.run();
    } else if (chunked) {
      write(Requests.bytes(Integer.toHexString(content.length) + "\r\n"));
      target.write(content, whenRead);
      write(Requests.bytes("\r\n"));
    } else {
      target.write(content, whenRead);
    }
  }

  void end(List<Field> trailers) throws IOException {
    if (chunked) {
      StringBuilder lines = new StringBuilder("0\r\n");
      for (Field field : trailers) {
        lines.append(GatewayHead.nameOf(field) + ": " + field.value() + "\r\n");
      }
      write(Requests.bytes(lines + "\r\n"));
    }
  }

  private void write(byte[] bytes) throws IOException {
    target.write(bytes, () -> {});
  }
}
