package dev.peregrine.server.sockets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes that a socket sends. Thread-safe: one thread writes at a time. Not closed by itself:
 * the {@link java.net.Socket} closes.
 */
final class LoopOutput extends OutputStream {
  private final ReentrantLock lock = new ReentrantLock();
  private final Wire wire;

  LoopOutput(Wire wire) {
    this.wire = wire;
  }

  /** Ends the stream; the peer reads what was written before. */
  void shutDown() throws IOException {
    wire.require();
    try {
      wire.socket.shutdownOutput();
      wire.writing.ready();
    } finally {
      wire.leave();
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    if (length == 0) {
      return;
    }
    lock.lock();
    try {
      wire.require();
      try {
        int sent = 0;
        while (sent < length) {
          sent += writeSome(source, offset + sent, length - sent);
        }
      } finally {
        wire.leave();
      }
    } finally {
      lock.unlock();
    }
  }

  private int writeSome(byte[] source, int offset, int length) throws IOException {
    while (true) {
      wire.writing.clear();
      wire.requireOpen();
      int n = send(source, offset, length);
      if (n > 0) {
        return n;
      }
      wire.await(wire.writing, Readiness.FOREVER, "");
    }
  }

  private int send(byte[] source, int offset, int length) throws IOException {
    int n = 0;
    try {
      n = wire.socket.send(source, offset, length);
      return n;
    } finally {
      if (n == 0) {
        wire.requireOpen(); // the failure may be that of our own close
      }
    }
  }
}
