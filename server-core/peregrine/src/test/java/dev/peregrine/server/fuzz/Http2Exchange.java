package dev.peregrine.server.fuzz;

import dev.peregrine.testing.RawResponse.Field;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A stream as its client sees it; fails if the response breaks rules of RFC 9113 section 8. */
final class Http2Exchange {
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection");
  private static final int CONTINUE = 100;
  private static final int OK = 200;

  private final int id;
  final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final StringBuilder heads = new StringBuilder();
  long toServer; // the window for the client's content
  long granted; // by the client, beside the initial window
  boolean clientEnded;
  boolean clientReset;
  private int status; // of the final response; 0 before it
  private long declared = -1;
  private boolean ended; // by the server
  private int resetCode = -1; // the server's

  Http2Exchange(int id, long window) {
    this.id = id;
    this.toServer = window;
  }

  // ---- the server's frames ----

  void onFields(List<Field> fields, boolean end) {
    requireOpen("HEADERS");
    fields.forEach(this::check);
    if (status >= OK) {
      require(end, "trailers that don't end the stream");
      require(fields.stream().noneMatch(field -> field.name().startsWith(":")), "a late :status");
      describe(fields);
    } else {
      require(!fields.isEmpty() && fields.getFirst().name().equals(":status"), "no :status");
      status = Integer.parseInt(fields.getFirst().value());
      require(status >= OK || !end, "an interim response that ends the stream");
      if (status != CONTINUE) { // which depends on whether the content has arrived
        describe(fields);
      }
    }
    ended = end;
    checkLength();
  }

  private void check(Field field) {
    String name = field.name();
    require(name.equals(name.toLowerCase(Locale.ROOT)), "the name " + name);
    require(!OF_CONNECTIONS.contains(name), "the field " + name);
    if (name.equals("content-length") && status == 0) {
      declared = Long.parseLong(field.value());
    }
  }

  private void describe(List<Field> fields) {
    for (Field field : fields) {
      if (!field.name().equals("date")) {
        heads.append(field.name()).append('=').append(field.value()).append(' ');
      }
    }
  }

  void onData(byte[] content, boolean end) {
    requireOpen("DATA");
    require(status >= OK, "DATA before the head");
    received.writeBytes(content);
    ended = end;
    checkLength();
  }

  private void checkLength() {
    if (ended && declared >= 0) {
      require(received.size() == declared, "content of " + received.size() + " bytes");
    }
  }

  void onReset(int code) {
    require(resetCode < 0, "a second reset");
    resetCode = code;
  }

  private void requireOpen(String what) {
    require(!ended && resetCode < 0, what + " after the end");
  }

  // ---- results ----

  /** Returns true if neither side sends anything more. */
  boolean isOver() {
    return clientReset || resetCode >= 0 || (ended && clientEnded);
  }

  boolean isReset() {
    return resetCode >= 0;
  }

  int status() {
    return status;
  }

  /** Returns true if the response is complete. */
  boolean isComplete() {
    return ended;
  }

  /**
   * Fails unless the content is that of the path, or its beginning.
   *
   * @param whole whether it must be complete
   */
  void checkContent(String path, boolean whole) {
    byte[] content = received.toByteArray();
    byte[] expected = path.equals("*") ? sent.toByteArray() : Http2Site.content(path, sent());
    if (expected == null || status != OK) {
      require(!whole || status >= OK, "no response");
      return;
    }
    require(isPrefix(content, expected), "other content than that of " + path);
    require(!whole || (ended && content.length == expected.length), "content is missing");
  }

  private static boolean isPrefix(byte[] content, byte[] whole) {
    return content.length <= whole.length
        && Arrays.equals(content, 0, content.length, whole, 0, content.length);
  }

  private byte[] sent() {
    return sent.toByteArray();
  }

  /** Returns the response in words, which don't depend on times. */
  String describe() {
    return id
        + ": "
        + heads
        + received.size()
        + " bytes "
        + Arrays.hashCode(received.toByteArray())
        + (ended ? " ended" : " reset with " + resetCode);
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("stream " + id + ": " + otherwise + "; " + describe());
    }
  }
}
