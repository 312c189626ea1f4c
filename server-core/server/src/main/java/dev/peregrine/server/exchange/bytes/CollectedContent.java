package dev.peregrine.server.exchange.bytes;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.ContentQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects content in blocks of the loop's memory, and then in one array of its length. The blocks
 * grow with the content that arrives, so a client can't cost memory by announcing much. On the
 * loop.
 */
public final class CollectedContent implements BodyListener {
  private final BufferPool pool;
  private final long length;
  private final int bytesMax;
  private final Consumer<byte[]> whenRead;
  private byte @Nullable [] whole; // content that has arrived at once
  private @Nullable ContentQueue pieces;
  private int count;

  /**
   * Creates a collector of content with a declared length, or -1.
   *
   * @param bytesMax the limit; the client gets 413 for more
   */
  public CollectedContent(BufferPool pool, long length, int bytesMax, Consumer<byte[]> whenRead) {
    this.pool = pool;
    this.length = length;
    this.bytesMax = bytesMax;
    this.whenRead = Objects.requireNonNull(whenRead, "whenRead");
  }

  @Override
  public void onData(Bytes data) {
    try {
      add((ReceivedBytes) data);
    } catch (Throwable failure) {
      release(); // no method is called any more
      throw failure;
    }
  }

  private void add(ReceivedBytes data) {
    int bytes = data.length();
    if (bytes > bytesMax - count) {
      throw new HttpException(
          HttpStatus.CONTENT_TOO_LARGE.code(), "content of more than " + bytesMax + " bytes");
    }
    if (bytes == length) {
      whole = data.toArray();
    } else {
      if (pieces == null) {
        pieces = new ContentQueue(pool);
      }
      pieces.addCopy(data.segment(), data.from(), bytes);
    }
    count += bytes;
  }

  @Override
  public void onEnd() {
    byte[] content = whole;
    if (content == null) {
      try {
        content = join();
      } finally {
        release();
      }
    }
    whole = null;
    whenRead.accept(content);
  }

  private byte[] join() {
    byte[] joined = new byte[count];
    ContentQueue source = pieces;
    if (source != null) {
      Join target = new Join(joined);
      while (!source.isEmpty()) {
        source.take(target);
      }
    }
    return joined;
  }

  private static final class Join implements ContentQueue.Taker {
    private final byte[] joined;
    private int filled;

    Join(byte[] joined) {
      this.joined = joined;
    }

    @Override
    public void take(Block block, int from, int to) {
      MemorySegment.copy(block.segment(), ValueLayout.JAVA_BYTE, from, joined, filled, to - from);
      filled += to - from;
    }
  }

  @Override
  public void onError(IOException cause) {
    release();
  }

  private void release() {
    whole = null;
    if (pieces != null) {
      pieces.clear();
      pieces = null;
    }
  }
}
