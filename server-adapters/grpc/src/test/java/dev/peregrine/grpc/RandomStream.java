package dev.peregrine.grpc;

import dev.peregrine.grpc.CallModel.Prediction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Random frames of one stream, of which some break rules, and what is predicted for them. */
final class RandomStream {
  /** A frame, or a head in two of them, and what the stream has sent at its end. */
  private record Step(RawCall frame, int contentBytes, boolean ends) {}

  private static final byte[] CANCEL = {0, 0, 0, 8};

  final int stream;
  private final Random random;
  private final boolean isOnLoop;
  private final String call;
  private final boolean isUnary;
  private final @Nullable String encoding;
  private final List<Step> steps = new ArrayList<>();
  private final StringBuilder description = new StringBuilder();
  private byte[] content;
  private @Nullable String headOutcome; // of a head that begins no call
  private boolean isCancelled;
  private Prediction prediction;

  /**
   * Creates the frames of a stream.
   *
   * @param call the metadata by which the service knows it
   */
  RandomStream(Random random, int stream, String call, boolean isOnLoop) {
    this.random = random;
    this.stream = stream;
    this.call = call;
    this.isOnLoop = isOnLoop;
    isUnary = oneOf(4);
    encoding = oneOf(3) ? "gzip" : oneOf(6) ? "identity" : null;
    content = content();
    boolean ended = !oneOf(5);
    List<String> fields = head();
    boolean endsWithHead = ended && content.length == 0 && oneOf(2);
    addHead(RawCall.block(fields), endsWithHead);
    addContent(ended && !endsWithHead);
    addHarmless();
    prediction = predict(content.length, ended);
    if (oneOf(8)) {
      cancel();
    } else if (oneOf(10)) {
      violateFlowControl();
    }
  }

  /** Returns true in one of a number of cases. */
  private boolean oneOf(int cases) {
    return random.nextInt(cases) == 0;
  }

  Prediction prediction() {
    return prediction;
  }

  String call() {
    return call;
  }

  /** Returns true if the client has reset the stream, after which it must not use it. */
  boolean isCancelled() {
    return isCancelled;
  }

  List<byte[]> frames() {
    return steps.stream().map(step -> step.frame().bytes()).toList();
  }

  private Prediction predict(int contentBytes, boolean ended) {
    return headOutcome != null
        ? Prediction.of(headOutcome)
        : CallModel.predict(
            Arrays.copyOf(content, contentBytes),
            ended,
            isUnary,
            "gzip".equals(encoding),
            isOnLoop);
  }

  // ---- the head ----

  /** Returns fields with any number of faults. The first one that the server finds counts. */
  private List<String> head() {
    List<String[]> fields = new ArrayList<>();
    fields.add(new String[] {"call", call});
    if (oneOf(30)) {
      fault(CallModel.status(4));
      fields.add(new String[] {"grpc-timeout", "0n"});
    } else {
      addFault(fields, 13, "grpc-timeout", oneOf(2) ? "1s" : "123456789S", "99999999H");
    }
    addFault(fields, 13, "some-bin", oneOf(2) ? "AA=A" : "*", "AAAA");
    if (oneOf(30)) {
      fault(CallModel.status(12));
      fields.add(new String[] {"grpc-encoding", "snappy"});
    } else if (encoding != null) {
      fields.add(new String[] {"grpc-encoding", encoding});
    }
    if (oneOf(30)) {
      fault(CallModel.status(13));
    } else {
      fields.add(new String[] {"te", "trailers"});
    }
    String path = isUnary ? "/test.Texts/Echo" : "/test.Texts/Chat";
    if (oneOf(30)) {
      fault(CallModel.status(12));
      path = oneOf(2) ? path + "s" : path + "?";
    }
    String method = "POST";
    if (oneOf(30)) {
      fault("http 405");
      method = "PUT";
    }
    String type = oneOf(2) ? "application/grpc" : "Application/GRPC+proto";
    if (oneOf(30)) {
      fault(CallModel.PAGE); // of the handler beside the services
      type = oneOf(2) ? "application/grpcs" : "text/plain";
    }
    fields.add(new String[] {"content-type", type});
    if (oneOf(30)) { // RFC 9113 section 8.2
      fault(CallModel.RESET);
      fields.add(oneOf(2) ? new String[] {"connection", "close"} : new String[] {"Upper", "case"});
    }
    Collections.shuffle(fields, random);
    List<String> all = new ArrayList<>(List.of(":method", method, ":scheme", "http"));
    all.addAll(List.of(":path", path, ":authority", "a.example"));
    fields.forEach(field -> all.addAll(List.of(field)));
    description.append(all).append(' ').append(content.length).append(" bytes");
    return all;
  }

  private void addFault(List<String[]> fields, int status, String name, String bad, String good) {
    if (oneOf(30)) {
      fault(CallModel.status(status));
      fields.add(new String[] {name, bad});
    } else if (oneOf(4)) {
      fields.add(new String[] {name, good});
    }
  }

  private void fault(String outcome) {
    headOutcome = outcome;
  }

  private void addHead(byte[] block, boolean ends) {
    int flags = ends ? RawCall.END_STREAM : 0;
    RawCall head = RawCall.empty();
    if (oneOf(4)) {
      int cut = random.nextInt(block.length + 1);
      byte[] rest = Arrays.copyOfRange(block, cut, block.length);
      head.frame(RawCall.HEADERS, flags, stream, Arrays.copyOf(block, cut));
      head.frame(RawCall.CONTINUATION, RawCall.END_HEADERS, stream, rest);
    } else {
      head.frame(RawCall.HEADERS, flags | RawCall.END_HEADERS, stream, block);
    }
    steps.add(new Step(head, 0, ends));
  }

  // ---- the content ----

  private byte[] content() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int messages = isUnary && !oneOf(4) ? 1 : random.nextInt(5); messages > 0; messages--) {
      byte[] text = text();
      boolean zips = oneOf(encoding == null ? 12 : 3);
      byte[] message = zips ? zip(text) : text;
      int flags = oneOf(20) ? 2 + random.nextInt(254) : zips ? 1 : 0;
      int length = oneOf(20) ? wrongLength() : message.length;
      all.writeBytes(ByteBuffer.allocate(5).put((byte) flags).putInt(length).array());
      all.writeBytes(message);
    }
    byte[] whole = all.toByteArray();
    return oneOf(6) ? Arrays.copyOf(whole, random.nextInt(whole.length + 1)) : whole;
  }

  private int wrongLength() {
    int tooLarge = oneOf(2) ? CallModel.MESSAGE_BYTES_MAX + 1 : -1;
    return oneOf(2) ? random.nextInt(30) : tooLarge;
  }

  private byte[] text() {
    byte[] text = new byte[oneOf(8) ? CallModel.MESSAGE_BYTES_MAX : random.nextInt(20)];
    Arrays.fill(text, (byte) ('a' + random.nextInt(26)));
    return text;
  }

  /** Compresses a text, or fails at it. */
  private byte[] zip(byte[] text) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(oneOf(8) ? new byte[10_000] : text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    byte[] whole = zipped.toByteArray();
    return oneOf(8) ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole;
  }

  private void addContent(boolean ends) {
    boolean endsWithLast = ends && !oneOf(3);
    int sent = 0;
    while (sent < content.length) {
      int most = oneOf(2) ? 8 : content.length;
      int bytes = oneOf(8) ? 0 : Math.min(content.length - sent, 1 + random.nextInt(most));
      sent += bytes;
      boolean last = endsWithLast && sent == content.length && bytes > 0;
      addData(Arrays.copyOfRange(content, sent - bytes, sent), sent, last);
    }
    boolean hasEnded = steps.getLast().ends();
    if (ends && !hasEnded && oneOf(2)) {
      byte[] trailers = RawCall.block(List.of("trailer", "of a client"));
      int flags = RawCall.END_STREAM | RawCall.END_HEADERS;
      add(RawCall.empty().frame(RawCall.HEADERS, flags, stream, trailers), sent, true);
    } else if (ends && !hasEnded) {
      addData(new byte[0], sent, true);
    }
  }

  private void addData(byte[] piece, int sent, boolean ends) {
    int flags = ends ? RawCall.END_STREAM : 0;
    if (!oneOf(6)) {
      add(RawCall.empty().frame(RawCall.DATA, flags, stream, piece), sent, ends);
      return;
    }
    byte[] padded = new byte[1 + piece.length + random.nextInt(10)];
    padded[0] = (byte) (padded.length - 1 - piece.length);
    System.arraycopy(piece, 0, padded, 1, piece.length);
    add(RawCall.empty().frame(RawCall.DATA, flags | RawCall.PADDED, stream, padded), sent, ends);
  }

  private void add(RawCall frame, int sent, boolean ends) {
    steps.add(new Step(frame, sent, ends));
  }

  // ---- other frames ----

  private void addHarmless() {
    for (int frames = random.nextInt(3); frames > 0; frames--) {
      RawCall frame = RawCall.empty();
      switch (random.nextInt(3)) {
        case 0 -> frame.frame(RawCall.WINDOW_UPDATE, 0, stream, number(1 + random.nextInt(100)));
        case 1 -> frame.frame(RawCall.PRIORITY, 0, stream, new byte[] {0, 0, 0, 0, 7});
        default -> frame.frame(99, 0xFF, stream, new byte[random.nextInt(20)]);
      }
      insert(1 + random.nextInt(steps.size()), frame);
    }
  }

  private void insert(int at, RawCall frame) {
    Step before = steps.get(at - 1);
    steps.add(at, new Step(frame, before.contentBytes(), before.ends()));
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** Cancels the call after one of its frames. */
  private void cancel() {
    int at = 1 + random.nextInt(steps.size());
    Step before = steps.get(at - 1);
    prediction = predict(before.contentBytes(), before.ends()).or(CallModel.OPEN, CallModel.RESET);
    steps.subList(at, steps.size()).clear();
    insert(at, RawCall.empty().frame(RawCall.RST_STREAM, 0, stream, CANCEL));
    isCancelled = true;
    description.append(", cancelled after ").append(at).append(" frames");
  }

  /** Increments a window by 0, which ends the stream (RFC 9113 section 6.9). */
  private void violateFlowControl() {
    int at = 1 + random.nextInt(steps.size());
    Step before = steps.get(at - 1);
    Prediction served = predict(before.contentBytes(), before.ends());
    prediction =
        served.outcomes().contains(CallModel.OPEN)
            ? new Prediction(Set.of(CallModel.RESET), served.messages(), false)
            : served.or(CallModel.RESET).or(served.outcomes(), ", then reset 1");
    insert(at, RawCall.empty().frame(RawCall.WINDOW_UPDATE, 0, stream, number(0)));
    description.append(", window incremented by 0 after ").append(at).append(" frames");
  }

  @Override
  public String toString() {
    return "stream " + stream + ": " + description + ", predicted " + prediction;
  }
}
