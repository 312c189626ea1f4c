package dev.peregrine.server.memory;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Interrupts;
import dev.peregrine.base.Log;
import dev.peregrine.server.memory.lease.Releasable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/**
 * A file of which parts wait to be sent; closed once, when its last user releases it. Used by one
 * event loop's thread only.
 */
public final class OpenFile implements Releasable {
  private final FileChannel channel;
  private int users = 1;

  /** Takes a channel over; the caller is its first user. */
  public OpenFile(FileChannel channel) {
    this.channel = channel;
  }

  public FileChannel channel() {
    return channel;
  }

  /**
   * Reads from a position until the buffer is full.
   *
   * @throws ContentFailedException if the file ends before, or is closed
   */
  void read(ByteBuffer target, long position) throws IOException {
    long shift = position - target.position();
    boolean held = Interrupts.hold(); // a handler may be running
    try {
      while (target.hasRemaining()) {
        if (channel.read(target, shift + target.position()) < 0) {
          throw ContentFailedException.truncated(target.remaining());
        }
      }
    } catch (ClosedChannelException closed) {
      throw ContentFailedException.closed(closed);
    } finally {
      Interrupts.restore(held);
    }
  }

  /** Counts one more user. */
  public OpenFile retain() {
    users++;
    return this;
  }

  /** Counts one user less; closes the file after the last one. */
  @Override
  public void release() {
    if (--users == 0) {
      close(channel);
    } else if (users < 0) {
      throw new IllegalStateException("file released more often than retained");
    }
  }

  /** Closes a channel whose bytes aren't needed any more. */
  public static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (Throwable failure) {
      Log.add(Level.DEBUG, Incident.FILE_CLOSE_FAILED, failure);
    }
  }
}
