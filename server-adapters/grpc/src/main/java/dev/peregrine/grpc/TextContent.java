package dev.peregrine.grpc;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import io.grpc.Status;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes content in base64 for a reader of messages. Clients encode the parts of their content one
 * by one, so that padding may be in the middle (RFC 4648 section 4 has it at the end only). Pieces
 * of content divide the text anywhere. Belongs to the event loop.
 */
final class TextContent implements BodyListener {
  private static final int QUANTUM = 4; // digits for three bytes
  private static final int DIGIT_BITS = 6;
  private static final byte[] DIGITS = new byte[128]; // by character; -1 for others

  static {
    Arrays.fill(DIGITS, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      DIGITS[alphabet.charAt(i)] = (byte) i;
    }
  }

  private final MessageReader reader;
  private final MessageReader.Receiver receiver;
  private int bits; // of an incomplete quantum
  private int digits; // in it, with padding
  private int padding;
  private boolean malformed;

  TextContent(MessageReader reader, MessageReader.Receiver receiver) {
    this.reader = reader;
    this.receiver = receiver;
  }

  @Override
  public void onData(Bytes data) {
    if (malformed) {
      return;
    }
    byte[] text = data.toArray();
    byte[] decoded = new byte[(digits + text.length) / QUANTUM * 3];
    int count = 0;
    for (byte character : text) {
      if (!add(character)) {
        reject("gRPC-Web content is not base64");
        return;
      }
      if (digits == QUANTUM) {
        count = decode(decoded, count);
      }
    }
    if (count > 0) {
      reader.onData(
          new HeapBytes(count == decoded.length ? decoded : Arrays.copyOf(decoded, count)));
    }
  }

  /** Adds a character to the quantum. Returns false if it can't be there. */
  private boolean add(byte character) {
    int digit = character < 0 ? -1 : DIGITS[character];
    if (character == '=' && digits >= 2) {
      padding++;
      digit = 0;
    } else if (digit < 0 || padding > 0) {
      return false;
    }
    bits = bits << DIGIT_BITS | digit;
    digits++;
    return true;
  }

  /** Writes the bytes of a complete quantum. Returns the index after them. */
  private int decode(byte[] target, int from) {
    int at = from;
    int bytes = 3 - padding;
    for (int i = 0; i < bytes; i++) {
      target[at++] = (byte) (bits >>> (16 - 8 * i));
    }
    bits = 0;
    digits = 0;
    padding = 0;
    return at;
  }

  private void reject(String text) {
    malformed = true;
    reader.stop();
    receiver.receiveFault(Status.INTERNAL.withDescription(text));
  }

  @Override
  public void onEnd() {
    if (malformed) {
      return;
    }
    if (digits > 0) {
      reject("gRPC-Web content ends within a quantum of base64");
    } else {
      reader.onEnd();
    }
  }

  @Override
  public void onError(IOException cause) {
    reader.onError(cause);
  }
}
