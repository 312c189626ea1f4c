package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The owner of buffers that a server gives back. Overwrites each one then, so that a client sees
 * what the server has read later.
 */
@SuppressWarnings("ReferenceEquality") // a buffer is itself, whatever its bytes
public final class GivenBuffers implements Consumer<ByteBuffer> {
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Map<Key, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Compares buffers by identity, because their content changes. */
  private record Key(ByteBuffer buffer) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.buffer == buffer;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(buffer);
    }
  }

  /** Makes a direct buffer with that content. */
  public ByteBuffer direct(byte[] content) {
    return own(ByteBuffer.allocateDirect(content.length).put(content).flip());
  }

  /** Owns a buffer. */
  public ByteBuffer own(ByteBuffer buffer) {
    int _ = made.incrementAndGet();
    counts.put(new Key(buffer), new AtomicInteger());
    return buffer;
  }

  @Override
  public void accept(ByteBuffer buffer) {
    buffer.clear();
    while (buffer.hasRemaining()) {
      buffer.put((byte) '!');
    }
    acceptFreed(buffer);
  }

  /** Takes a buffer back whose memory was freed. */
  public void acceptFreed(ByteBuffer buffer) {
    threads.add(Thread.currentThread());
    int _ = Objects.requireNonNull(counts.get(new Key(buffer))).incrementAndGet();
    int _ = givenBack.incrementAndGet();
  }

  /** Returns how many were given back. */
  public int count() {
    return givenBack.get();
  }

  /** Waits until all were given back, each once. Another thread may make further ones meanwhile. */
  public void expectAll() {
    Await.until(() -> givenBack + " of " + made, () -> givenBack.get() >= made.get());
    assertThat(counts.values())
        .allSatisfy(count -> assertThat(count).hasValueLessThanOrEqualTo(1)); // so each has one
  }

  /** Waits like {@link #expectAll}, for calls on event loops only. */
  public void expectAllOnLoops() {
    expectAll();
    assertThat(threads).allSatisfy(thread -> assertThat(thread.isVirtual()).isFalse());
    assertThat(threads).allSatisfy(thread -> assertThat(thread.getName()).contains("loop"));
  }
}
