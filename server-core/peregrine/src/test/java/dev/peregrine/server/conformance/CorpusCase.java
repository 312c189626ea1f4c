package dev.peregrine.server.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a client sends, and the responses that it must get.
 *
 * @param name file and name, as in {@code rfc9112-3-request-line/method-is-case-sensitive}
 * @param latin1 what is sent, a character for each byte
 * @param answers the responses in their order; none if the server has to wait for more
 */
record CorpusCase(String name, String latin1, List<Answer> answers) {
  private static final String MARKER =
      "GET /marker HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n";
  static final Answer MARKER_ANSWER = new Answer(200, false, true, "GET /marker @m");

  /**
   * One response.
   *
   * @param status its code
   * @param head whether it has no content because it answers a HEAD
   * @param close whether it is the connection's last
   * @param text its content, if that matters
   */
  record Answer(int status, boolean head, boolean close, @Nullable String text) {}

  /**
   * Returns the bytes to send: the case, followed by the marker unless that would change the case's
   * meaning.
   */
  byte[] bytes() {
    String all = isIncomplete() ? latin1 : latin1 + MARKER;
    return all.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns true if the server must wait for more when it has received all bytes. */
  boolean isIncomplete() {
    return answers.isEmpty();
  }

  /** Returns true if the connection must accept another request after the bytes. */
  boolean isOpenAtEnd() {
    return !answers.isEmpty() && !answers.getLast().close();
  }

  @Override
  public String toString() {
    return name;
  }
}
