package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that arrive in pieces, and are requested before, between and after them. */
final class MessageReaderTest {
  private static final int LIMIT = 100_000;

  /** Content that a test passes on while it isn't paused. */
  static final class Script implements RequestBody {
    boolean paused;

    @Override
    public long length() {
      return -1;
    }

    @Override
    public RequestBody maxBytes(long bytesMax) {
      return this;
    }

    @Override
    public RequestBody openEnded() {
      return this;
    }

    @Override
    public InputStream inputStream() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void receive(BodyListener listener) {}

    @Override
    public void pause() {
      paused = true;
    }

    @Override
    public void resume() {
      paused = false;
    }

    @Override
    public @Nullable String trailer(String name) {
      return null;
    }
  }

  /** Writes down what was received. */
  static final class Notes implements MessageReader.Receiver {
    final List<String> all = new ArrayList<>();

    @Override
    public void receive(Bytes piece, int from, int length, boolean compressed) {
      byte[] copy = new byte[length];
      piece.copyTo(from, copy, 0, length);
      receive(copy, compressed);
    }

    @Override
    public void receive(byte[] message, boolean compressed) {
      all.add(message.length + " " + Arrays.hashCode(message) + (compressed ? " gzip" : ""));
    }

    @Override
    public void receiveEnd() {
      all.add("end");
    }

    @Override
    public void receiveFault(Status status) {
      all.add(status.getCode() + " " + status.getDescription());
    }
  }

  private final Script body = new Script();
  private final Notes notes = new Notes();
  private final Demand demand = new Demand();
  private final MessageReader reader = new MessageReader(body, notes, demand, LIMIT);

  private void request(int messages) {
    if (demand.add(messages)) {
      reader.onDemand();
    }
  }

  private void pass(byte[] content, int from, int to) {
    reader.onData(new HeapBytes(new HeapBytes(Arrays.copyOfRange(content, from, to)), 0));
  }

  private static byte[] frames(List<byte[]> messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] each : messages) {
      all.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(each.length).array());
      all.writeBytes(each);
    }
    return all.toByteArray();
  }

  private static List<String> expected(List<byte[]> messages) {
    Notes notes = new Notes();
    messages.forEach(message -> notes.receive(message, false));
    notes.receiveEnd();
    return notes.all;
  }

  @Test
  void findsMessagesAtEverySplit() {
    List<byte[]> messages = List.of(new byte[0], new byte[] {1, 2, 3}, new byte[] {4}, new byte[0]);
    byte[] content = frames(messages);
    for (int first = 0; first <= content.length; first++) {
      for (int second = first; second <= content.length; second++) {
        MessageReaderTest test = new MessageReaderTest();
        test.request(messages.size());
        test.pass(content, 0, first);
        test.pass(content, first, second);
        test.pass(content, second, content.length);
        test.reader.onEnd();
        assertThat(test.notes.all).isEqualTo(expected(messages));
      }
    }
  }

  @Test
  void endsWithAFaultAtEveryStrictPrefix() {
    byte[] content = frames(List.of(new byte[] {1, 2, 3}));
    for (int length = 1; length < content.length; length++) {
      MessageReaderTest test = new MessageReaderTest();
      test.request(1);
      test.pass(content, 0, length);
      test.reader.onEnd();
      assertThat(test.notes.all).containsExactly("INTERNAL Encountered end-of-stream mid-frame");
    }
  }

  @Test
  void readsNothingMoreUntilAMessageIsRequested() {
    List<byte[]> messages = List.of(new byte[10], new byte[20]);
    byte[] content = frames(messages);
    pass(content, 0, content.length);
    assertThat(body.paused).isTrue();
    assertThat(notes.all).isEmpty();

    request(1);
    assertThat(notes.all).hasSize(1);
    assertThat(body.paused).isTrue();
    request(1);
    assertThat(notes.all).hasSize(2);
    assertThat(body.paused).isFalse();
    reader.onEnd();
    assertThat(notes.all).isEqualTo(expected(messages));
  }

  @Test
  void endsAfterAnEmptyMessageOnceThatIsRequested() {
    List<byte[]> messages = List.of(new byte[0]);
    byte[] content = frames(messages);
    pass(content, 0, content.length);
    reader.onEnd();
    assertThat(notes.all).isEmpty();

    request(1);
    assertThat(notes.all).isEqualTo(expected(messages));
  }

  @Test
  void findsRandomMessagesInRandomPiecesAtRandomDemand() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<byte[]> messages = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        byte[] message = new byte[random.nextInt(i % 7 == 0 ? LIMIT : 50)];
        random.nextBytes(message);
        messages.add(message);
      }
      assertThat(inPieces(frames(messages), messages.size(), random))
          .as("seed %s, round %s", seed, round)
          .isEqualTo(expected(messages));
    }
  }

  private static List<String> inPieces(byte[] content, int messages, Random random) {
    MessageReaderTest test = new MessageReaderTest();
    int at = 0;
    int requested = 0;
    boolean ended = false;
    while (!ended || requested < messages) {
      if (requested < messages && random.nextBoolean()) {
        int more = 1 + random.nextInt(messages - requested);
        requested += more;
        test.request(more);
      }
      if (!test.body.paused && !ended) {
        int bytes =
            Math.min(content.length - at, random.nextInt(random.nextBoolean() ? 8 : 20_000));
        if (bytes > 0) {
          test.pass(content, at, at + bytes);
          at += bytes;
        }
        if (at == content.length && !test.body.paused) {
          test.reader.onEnd();
          ended = true;
        }
      }
    }
    return test.notes.all;
  }

  @Test
  void neverThrowsForRandomBytes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      MessageReaderTest test = new MessageReaderTest();
      byte[] content = new byte[random.nextInt(64)];
      random.nextBytes(content);
      for (int i = 0; i < content.length; i++) {
        content[i] = random.nextInt(3) > 0 ? 0 : content[i];
      }
      test.request(100);
      test.pass(content, 0, content.length);
      test.reader.onEnd();
      long ends =
          test.notes.all.stream()
              .filter(note -> note.equals("end") || note.contains("_") || note.contains("INTERNAL"))
              .count();
      assertThat(ends).as("seed %s, round %s", seed, round).isEqualTo(1);
    }
  }
}
