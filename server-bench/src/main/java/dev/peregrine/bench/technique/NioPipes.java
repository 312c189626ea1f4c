package dev.peregrine.bench.technique;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pipes of {@code java.nio}: all of them read in turn, or those that a selector reports. */
final class NioPipes implements Pipes {
  private final List<Pipe> pipes = new ArrayList<>();
  private final ByteBuffer out = ByteBuffer.allocateDirect(1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(1);
  private final int scanned;
  private final @Nullable Selector selector;
  private final Consumer<SelectionKey> dispatch = this::read;
  private int ready;

  private NioPipes(int count, int scanned, @Nullable Selector selector) throws IOException {
    this.scanned = scanned;
    this.selector = selector;
    for (int i = 0; i < count; i++) {
      Pipe pipe = Pipe.open();
      pipes.add(pipe);
      pipe.source().configureBlocking(false);
      if (selector != null) {
        pipe.source().register(selector, SelectionKey.OP_READ, pipe);
      }
    }
  }

  /** Returns pipes of which the first ones are read. */
  static NioPipes scanned(int count, int scanned) throws IOException {
    return new NioPipes(count, scanned, null);
  }

  /** Returns pipes that are read if a selector reports them. */
  static NioPipes selected(int count) throws IOException {
    return new NioPipes(count, 0, Selector.open());
  }

  @Override
  public void write(int pipe) throws IOException {
    pipes.get(pipe).sink().write(out.clear());
  }

  @Override
  public int readReady() throws IOException {
    ready = 0;
    if (selector == null) {
      for (int i = 0; i < scanned; i++) {
        read(pipes.get(i));
      }
    } else {
      selector.selectNow(dispatch);
    }
    return ready;
  }

  @Override
  public void close() throws IOException {
    for (Pipe pipe : pipes) {
      pipe.source().close();
      pipe.sink().close();
    }
    if (selector != null) {
      selector.close();
    }
  }

  private void read(SelectionKey key) {
    read((Pipe) key.attachment());
  }

  private void read(Pipe pipe) {
    try {
      if (pipe.source().read(in.clear()) > 0) {
        ready++;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
