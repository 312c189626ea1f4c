package dev.peregrine.grpc;

import io.grpc.Compressor;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** A message with its prefix, in an array of its own that is passed to the server. */
final class FrameOutput extends OutputStream {
  private static final int PREFIX_BYTES = 5;
  private static final int UNKNOWN_BYTES = 512;

  private byte[] frame;
  private int count = PREFIX_BYTES;

  private FrameOutput(int messageBytes) {
    frame = new byte[PREFIX_BYTES + messageBytes];
  }

  /** Encodes a message as it is. Closes its stream. */
  static FrameOutput plain(InputStream message) throws IOException {
    try (message) {
      int known = message instanceof KnownLength ? message.available() : -1;
      FrameOutput out = new FrameOutput(known < 0 ? UNKNOWN_BYTES : known);
      out.drain(message);
      if (known >= 0 && out.messageBytes() != known) {
        throw Status.INTERNAL
            .withDescription("Message length inaccurate " + out.messageBytes() + " != " + known)
            .asRuntimeException();
      }
      out.end(0);
      return out;
    }
  }

  /** Encodes a message compressed. Closes its stream. */
  static FrameOutput compressed(InputStream message, Compressor compressor) throws IOException {
    try (message) {
      FrameOutput out = new FrameOutput(UNKNOWN_BYTES);
      try (OutputStream compressing = compressor.compress(out)) {
        copy(message, compressing);
      }
      out.end(1);
      return out;
    }
  }

  private void drain(InputStream message) throws IOException {
    if (message instanceof Drainable) {
      copy(message, this);
      return;
    }
    while (true) {
      int room = frame.length - count;
      if (room == 0) { // also after the last byte of a known length, to see the end
        int next = message.read();
        if (next < 0) {
          return;
        }
        write(next);
      } else {
        int bytes = message.read(frame, count, room);
        if (bytes < 0) {
          return;
        }
        count += bytes;
      }
    }
  }

  private static void copy(InputStream message, OutputStream target) throws IOException {
    if (message instanceof Drainable drainable) {
      int ignored = drainable.drainTo(target);
    } else {
      long ignored = message.transferTo(target);
    }
  }

  private void end(int flags) {
    int bytes = messageBytes();
    frame[0] = (byte) flags;
    frame[1] = (byte) (bytes >>> 24);
    frame[2] = (byte) (bytes >>> 16);
    frame[3] = (byte) (bytes >>> 8);
    frame[4] = (byte) bytes;
  }

  byte[] array() {
    return frame;
  }

  /** Returns the length of the frame. */
  int length() {
    return count;
  }

  int messageBytes() {
    return count - PREFIX_BYTES;
  }

  @Override
  public void write(int next) {
    reserve(1);
    frame[count++] = (byte) next;
  }

  @Override
  public void write(byte[] source, int from, int length) {
    Objects.checkFromIndexSize(from, length, source.length);
    reserve(length);
    System.arraycopy(source, from, frame, count, length);
    count += length;
  }

  private void reserve(int bytes) {
    int needed = Math.addExact(count, bytes);
    if (needed > frame.length) {
      frame = Arrays.copyOf(frame, (int) Math.min(Integer.MAX_VALUE - 8, 2L * needed));
    }
  }
}
