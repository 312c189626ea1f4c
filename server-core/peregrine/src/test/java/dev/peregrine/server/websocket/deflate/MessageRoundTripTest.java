package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random messages between the server and a client that uses zlib as it is. */
final class MessageRoundTripTest {
  private static final int MESSAGES = 20;
  private static final byte[] MARKER = {0, 0, -1, -1};

  @RegisterExtension final AmplePool ample = new AmplePool();

  private final CompressionPool pool = ample.pool;

  @Test
  void theClientDecompressesTheMessagesOfTheServer() {
    Seeds.each(
        50,
        random -> {
          boolean takeover = random.nextBoolean();
          DeflateParameters parameters =
              new DeflateParameters(!takeover, true, random.nextInt(8, 16), 15, false);
          try (SessionCompression session = Steps.open(pool, parameters);
              Inflater client = new Inflater(true)) {
            for (int i = 0; i < MESSAGES; i++) {
              byte[][] pieces = pieces(random, message(random));
              Flush between = random.nextBoolean() ? Flush.NONE : Flush.FRAGMENT;
              int targetBytes = random.nextInt(MessageDeflater.TARGET_BYTES_MIN, 5_000);
              byte[] payload = Steps.deflate(session.deflater(), targetBytes, between, pieces);
              if (!takeover) {
                client.reset();
              }
              assertThat(inflated(client, payload)).isEqualTo(concat(pieces));
              if (random.nextInt(5) == 0) {
                byte[] foreign = message(random);
                byte[] compressed =
                    MessageDeflater.deflateOnce(
                        pool, parameters.serverWindowBits(), foreign, 0, foreign.length);
                assertThat(inflated(client, compressed)).isEqualTo(foreign);
                session.deflater().afterForeignMessage();
              }
            }
          }
        });
  }

  @Test
  void theServerDecompressesTheMessagesOfTheClient() {
    Seeds.each(
        50,
        random -> {
          boolean takeover = random.nextBoolean();
          DeflateParameters parameters = new DeflateParameters(true, !takeover, 15, 15, false);
          try (SessionCompression session = Steps.open(pool, parameters);
              Deflater client = new Deflater(random.nextInt(10), true)) {
            client.setStrategy(random.nextInt(3));
            client.deflate(new byte[10]); // a call that sets the strategy doesn't flush
            for (int i = 0; i < MESSAGES; i++) {
              byte[] message = message(random);
              List<byte[]> payload = new ArrayList<>();
              for (byte[] piece : pieces(random, message)) {
                payload.add(deflated(client, piece));
              }
              byte[] all = concat(payload.toArray(byte[][]::new));
              byte[] cut = all.length == 0 ? new byte[1] : Arrays.copyOf(all, all.length - 4);
              int targetBytes = random.nextInt(1, 5_000);
              assertThat(
                      Steps.inflate(
                          session.inflater(),
                          message.length,
                          targetBytes,
                          List.of(pieces(random, cut))))
                  .isEqualTo(message);
              if (!takeover || random.nextInt(5) == 0) { // a client may always forget
                client.reset();
              }
            }
          }
        });
  }

  @Test
  void theServerDecompressesItsOwnMessages() {
    Seeds.each(
        25,
        random -> {
          DeflateParameters parameters =
              new DeflateParameters(false, false, random.nextInt(8, 16), 15, false);
          try (SessionCompression session = Steps.open(pool, parameters)) {
            for (int i = 0; i < MESSAGES; i++) {
              byte[] message = message(random);
              byte[] payload = Steps.deflate(session.deflater(), message);
              assertThat(Steps.inflate(session.inflater(), payload)).isEqualTo(message);
            }
          }
        });
  }

  /** Returns a message with repetitions near and far, and noise. */
  private static byte[] message(SplittableRandom random) {
    byte[] message = new byte[random.nextInt(1 << random.nextInt(1, 17))];
    for (int at = 0; at < message.length; ) {
      int length = Math.min(message.length - at, random.nextInt(1, 400));
      byte[] run = new byte[length];
      if (random.nextBoolean()) {
        random.nextBytes(run);
      } else if (at > 0) {
        int from = random.nextInt(at);
        run = Arrays.copyOfRange(message, from, from + length);
      }
      System.arraycopy(run, 0, message, at, length);
      at += length;
    }
    return message;
  }

  /** Returns the bytes in a few pieces, some of which may be empty. */
  private static byte[][] pieces(SplittableRandom random, byte[] bytes) {
    int[] cuts = new int[random.nextInt(5) + 1];
    for (int i = 1; i < cuts.length; i++) {
      cuts[i] = random.nextInt(bytes.length + 1);
    }
    Arrays.sort(cuts);
    byte[][] pieces = new byte[cuts.length][];
    for (int i = 0; i < cuts.length; i++) {
      pieces[i] =
          Arrays.copyOfRange(bytes, cuts[i], i + 1 < cuts.length ? cuts[i + 1] : bytes.length);
    }
    return pieces;
  }

  private static byte[] inflated(Inflater client, byte[] payload) throws DataFormatException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    byte[] target = new byte[10_000];
    client.setInput(concat(payload, MARKER));
    for (int bytes = client.inflate(target); bytes > 0; bytes = client.inflate(target)) {
      output.write(target, 0, bytes);
    }
    assertThat(client.getRemaining()).isZero();
    return output.toByteArray();
  }

  private static byte[] deflated(Deflater client, byte[] piece) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    byte[] target = new byte[10_000];
    client.setInput(piece);
    int bytes;
    do {
      bytes = client.deflate(target, 0, target.length, Deflater.SYNC_FLUSH);
      output.write(target, 0, bytes);
    } while (bytes == target.length);
    return output.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
