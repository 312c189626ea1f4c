package dev.peregrine.netty;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects content in one buffer: large pieces as they are, small ones in arrays, so that a client
 * that sends many small pieces costs no more than their bytes. On the event loop.
 */
final class ContentCollector implements BodyListener {
  private static final int COPIED_BYTES_MAX = 16 * 1024; // retain would copy these, too

  private final int bytesMax;
  private final Consumer<? super ByteBuf> whenRead;
  private final CompositeByteBuf content = Unpooled.compositeBuffer(Integer.MAX_VALUE);
  private @Nullable ByteBuf small; // the last pieces
  private int count;

  ContentCollector(int bytesMax, Consumer<? super ByteBuf> whenRead) {
    this.bytesMax = bytesMax;
    this.whenRead = Objects.requireNonNull(whenRead, "whenRead");
  }

  @Override
  public void onData(Bytes data) {
    try {
      add(data);
    } catch (Throwable failure) {
      release();
      throw failure;
    }
  }

  private void add(Bytes data) {
    int length = data.length();
    if (length > bytesMax - count) {
      throw new HttpException(
          HttpStatus.CONTENT_TOO_LARGE.code(), "content of more than " + bytesMax + " bytes");
    }
    count += length;
    if (length > COPIED_BYTES_MAX) {
      addSmall();
      content.addComponent(true, ByteBufs.retain(data));
    } else {
      addSmall(data, length);
    }
  }

  private void addSmall(Bytes data, int length) {
    ByteBuf target = small;
    if (target == null) {
      target = Unpooled.buffer(length, bytesMax);
      small = target;
    }
    target.ensureWritable(length);
    data.copyTo(0, target.array(), target.arrayOffset() + target.writerIndex(), length);
    target.writerIndex(target.writerIndex() + length);
  }

  private void addSmall() {
    ByteBuf last = small;
    if (last != null) {
      small = null;
      content.addComponent(true, last);
    }
  }

  @Override
  public void onEnd() {
    try {
      addSmall();
    } catch (Throwable failure) { // the heap is full
      release();
      throw failure;
    }
    whenRead.accept(content);
  }

  @Override
  public void onError(IOException cause) {
    release();
  }

  private void release() {
    if (content.refCnt() > 0) {
      small = null; // an array
      content.release();
    }
  }
}
