package dev.peregrine.grpc;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A message in an array of its own. */
final class HeapMessage extends ByteArrayInputStream
    implements KnownLength, HasByteBuffer, Detachable {
  HeapMessage(byte[] message) {
    super(message);
  }

  @Override
  public boolean byteBufferSupported() {
    return true;
  }

  @Override
  public @Nullable ByteBuffer getByteBuffer() {
    return pos < count ? ByteBuffer.wrap(buf, pos, count - pos).slice().asReadOnlyBuffer() : null;
  }

  @Override
  public InputStream detach() {
    HeapMessage rest = new HeapMessage(buf);
    rest.pos = pos;
    pos = count;
    return rest;
  }
}
