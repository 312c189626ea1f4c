package dev.peregrine.bench.arena;

import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** HttpArena's requests of gRPC. Their three numbers are read by hand, without Protocol Buffers. */
record Numbers(int a, int b, int count) {
  private static final int FIELD_SHIFT = 3; // before it the wire type: 0 is a varint
  private static final int A = 1;
  private static final int B = 2;
  private static final int COUNT = 3;
  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;
  private static final int VARINT_BITS = 64;
  private static final int REPLY_BYTES_MAX = 11;

  /** Requests; only read. */
  static final Marshaller<Numbers> REQUEST =
      new Marshaller<>() {
        @Override
        public InputStream stream(Numbers value) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Numbers parse(InputStream stream) {
          try {
            return read(stream);
          } catch (IOException wrong) {
            throw Status.INTERNAL.withCause(wrong).asRuntimeException();
          }
        }
      };

  /** Replies, which have one number; only written. */
  static final Marshaller<Integer> REPLY =
      new Marshaller<>() {
        @Override
        public InputStream stream(Integer value) {
          return reply(value);
        }

        @Override
        public Integer parse(InputStream stream) {
          throw new UnsupportedOperationException();
        }
      };

  private static Numbers read(InputStream in) throws IOException {
    int[] numbers = new int[COUNT + 1];
    for (int key = in.read(); key >= 0; key = in.read()) {
      int field = key >> FIELD_SHIFT;
      if (key != field << FIELD_SHIFT || field < A || field > COUNT) {
        throw new IOException("unknown field " + key);
      }
      numbers[field] = varint(in);
    }
    return new Numbers(numbers[A], numbers[B], numbers[COUNT]);
  }

  private static int varint(InputStream in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < VARINT_BITS; shift += BITS) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("ends within a number");
      }
      value |= (long) (next & (MORE - 1)) << shift;
      if (next < MORE) {
        return (int) value;
      }
    }
    throw new IOException("too long a number");
  }

  private static InputStream reply(int value) {
    byte[] bytes = new byte[REPLY_BYTES_MAX];
    int length = 0;
    if (value != 0) { // which is left out
      bytes[length++] = A << FIELD_SHIFT;
      long rest = value; // negative numbers have the sign of 64 bits
      while ((rest & -MORE) != 0) {
        bytes[length++] = (byte) (rest | MORE);
        rest >>>= BITS;
      }
      bytes[length++] = (byte) rest;
    }
    return new ByteArrayInputStream(bytes, 0, length);
  }
}
