package dev.peregrine.server.tls.layer;

import dev.peregrine.tls.TlsInfo;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An engine without encryption: a record is a length of two bytes and content; none is the end. */
final class PlainRecords implements TlsSession {
  private static final int HEAD_BYTES = 2;

  private boolean inputEnded;

  /** Returns records of the given contents. */
  static byte[] records(byte[]... contents) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (byte[] content : contents) {
      records.write(content.length >> Byte.SIZE);
      records.write(content.length);
      records.writeBytes(content);
    }
    return records.toByteArray();
  }

  /** Returns the contents of whole records. */
  static List<byte[]> contents(byte[] records) {
    List<byte[]> contents = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(records);
    while (left.hasRemaining()) {
      byte[] content = new byte[left.getShort()];
      left.get(content);
      contents.add(content);
    }
    return contents;
  }

  @Override
  public boolean unwrap(ByteBuffer records, ByteBuffer content) {
    while (records.remaining() >= HEAD_BYTES) {
      int length = records.getShort(records.position());
      if (records.remaining() < HEAD_BYTES + length) {
        return false;
      }
      if (content.remaining() < length) {
        return true;
      }
      inputEnded |= length == 0;
      records.position(records.position() + HEAD_BYTES);
      content.put(content.position(), records, records.position(), length);
      content.position(content.position() + length);
      records.position(records.position() + length);
    }
    return false;
  }

  @Override
  public void wrap(ByteBuffer content, ByteBuffer records) {
    int length = Math.min(content.remaining(), CONTENT_BYTES_MAX);
    records.putShort((short) length);
    records.put(content.slice(content.position(), length));
    content.position(content.position() + length);
  }

  @Override
  public boolean isHandshaking() {
    return false;
  }

  @Override
  public boolean hasOutput() {
    return false;
  }

  @Override
  public boolean isInputEnded() {
    return inputEnded;
  }

  @Override
  public @Nullable Runnable task() {
    return null;
  }

  @Override
  public void endOutput() {}

  @Override
  public TlsInfo info(@Nullable String serverName) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void free() {}
}
