package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Checks one response thoroughly, which a generator at full speed can't. */
public final class ServerCheck {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int HEAD_BYTES_MAX = 8192;
  private static final String HEAD_END = "\r\n\r\n";

  private ServerCheck() {}

  /**
   * Sends one request and checks status, Content-Type, Date, Content-Length and content.
   *
   * @return the whole response
   * @throws IOException if the response is wrong; the message names the fault
   */
  public static byte[] response(Workload workload, int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(workload.request(port));
      InputStream in = socket.getInputStream();
      String head = readHead(in);
      String fields = head.toLowerCase(Locale.ROOT);
      require(head.startsWith("HTTP/1.1 200"), "status 200", head);
      require(fields.contains("\r\ncontent-type: "), "a Content-Type", head);
      require(fields.contains("\r\ndate: "), "a Date", head);
      byte[] answer = workload.answer().getBytes(StandardCharsets.US_ASCII);
      String length = "\r\ncontent-length: " + answer.length + "\r\n";
      require(fields.contains(length), "Content-Length: " + answer.length, head);
      byte[] content = in.readNBytes(answer.length);
      require(Arrays.equals(content, answer), "other content", head);
      byte[] response =
          Arrays.copyOf(head.getBytes(StandardCharsets.ISO_8859_1), head.length() + content.length);
      System.arraycopy(content, 0, response, head.length(), content.length);
      return response;
    }
  }

  /** Returns the head of a response, as it is sent. */
  public static String head(Workload workload, int port) throws IOException {
    String text = new String(response(workload, port), StandardCharsets.ISO_8859_1);
    return text.substring(0, text.indexOf(HEAD_END));
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(HEAD_END, Math.max(0, head.length() - HEAD_END.length())) < 0) {
      int next = in.read();
      if (next < 0 || head.length() == HEAD_BYTES_MAX) {
        throw new IOException("the response has no complete head: " + head);
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void require(boolean met, String what, String head) throws IOException {
    if (!met) {
      throw new IOException("the response should have " + what + ": " + head.strip());
    }
  }
}
