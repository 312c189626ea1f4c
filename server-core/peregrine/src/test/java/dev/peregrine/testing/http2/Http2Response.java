package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived on a stream, checked by RFC 9113: a response that only a lenient client would
 * accept fails the test.
 */
public final class Http2Response {
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te");

  private final int stream;
  private final boolean toHead;
  private final List<Integer> interims = new ArrayList<>();
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private int status;
  private List<Field> fields = List.of();
  private List<Field> trailers = List.of();
  private boolean ended;
  private boolean trailed;
  private @Nullable Http2Code resetCode;

  Http2Response(int stream, String method) {
    this.stream = stream;
    toHead = method.equals("HEAD");
  }

  // ---- what arrives ----

  void onHeaders(List<Field> block, boolean last) {
    requireOpen("HEADERS");
    require(!trailed, "HEADERS after the trailers");
    checkNames(block);
    if (status >= 200) {
      require(last, "trailers without END_STREAM");
      require(
          block.stream().noneMatch(field -> field.name().startsWith(":")),
          "a pseudo field in the trailers");
      trailers = block;
      trailed = true;
    } else {
      onHead(block, last);
    }
    if (last) {
      end();
    }
  }

  private void onHead(List<Field> block, boolean last) {
    require(
        !block.isEmpty() && block.getFirst().name().equals(":status"), ":status must come first");
    require(
        block.stream().filter(field -> field.name().startsWith(":")).count() == 1,
        "more than one pseudo field");
    String text = block.getFirst().value();
    require(text.matches("[1-5][0-9]{2}"), "a bad status: " + text);
    if (text.startsWith("1")) {
      require(!last, "1xx with END_STREAM");
      interims.add(Integer.parseInt(text));
      return;
    }
    status = Integer.parseInt(text);
    fields = block.subList(1, block.size());
    require(header("date") != null, "no date");
  }

  void onData(byte[] bytes, boolean last) {
    requireOpen("DATA");
    require(status >= 200, "DATA before the head");
    require(bytes.length == 0 || hasContent(), "DATA in a response without content");
    content.writeBytes(bytes);
    if (last) {
      end();
    }
  }

  void onReset(Http2Code code) {
    require(resetCode == null, "RST_STREAM twice");
    resetCode = code;
  }

  private void end() {
    ended = true;
    String length = header("content-length");
    if (length != null && hasContent()) {
      require(
          Long.parseLong(length) == content.size(),
          "content-length " + length + ", but " + content.size() + " bytes");
    }
  }

  private boolean hasContent() {
    return !toHead && status != 204 && status != 304;
  }

  private void checkNames(List<Field> block) {
    for (Field field : block) {
      require(field.name().matches(":?[!#$%&'*+.^_`|~0-9a-z-]+"), "a bad name: " + field.name());
      require(!OF_CONNECTIONS.contains(field.name()), field.name() + " is of connections");
      require(
          field.value().equals(field.value().strip())
              && field.value().matches("[\\t\\x20-\\x7e\\x80-\\xff]*"),
          "a bad value of " + field.name());
    }
  }

  private void requireOpen(String what) {
    require(!ended && resetCode == null, what + " after the end");
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("stream " + stream + ": " + otherwise + " in " + this);
    }
  }

  // ---- for tests ----

  public int stream() {
    return stream;
  }

  /** Returns the status, or 0 before the head has arrived. */
  public int status() {
    return status;
  }

  public List<Integer> interims() {
    return interims;
  }

  public List<Field> fields() {
    return fields;
  }

  /** Returns the value of the only field of that name, or null. */
  public @Nullable String header(String name) {
    return only(name, fields);
  }

  public List<Field> trailers() {
    return trailers;
  }

  public @Nullable String trailer(String name) {
    return only(name, trailers);
  }

  private static @Nullable String only(String name, List<Field> fields) {
    List<Field> found = fields.stream().filter(field -> field.name().equals(name)).toList();
    if (found.size() > 1) {
      throw new AssertionError(name + " came more than once: " + fields);
    }
    return found.isEmpty() ? null : found.getFirst().value();
  }

  public byte[] content() {
    return content.toByteArray();
  }

  public String text() {
    return content.toString(StandardCharsets.UTF_8);
  }

  /** Returns true after END_STREAM. */
  public boolean isComplete() {
    return ended;
  }

  /** Returns the code of RST_STREAM, or null. */
  public @Nullable Http2Code resetCode() {
    return resetCode;
  }

  /** Returns true if nothing more can arrive. */
  public boolean isOver() {
    return ended || resetCode != null;
  }

  @Override
  public String toString() {
    String shown = content.size() <= 200 ? text() : content.size() + " bytes";
    return status
        + " "
        + fields
        + " \""
        + shown
        + "\""
        + (ended ? " complete" : "")
        + (resetCode == null ? "" : " reset by " + resetCode);
  }
}
