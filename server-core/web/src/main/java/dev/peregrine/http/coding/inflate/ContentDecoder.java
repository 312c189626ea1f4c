package dev.peregrine.http.coding.inflate;

import dev.peregrine.http.HttpException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes gzip (RFC 1952, any number of members) or deflate (RFC 1950), fed and drained piece by
 * piece. Invalid input throws {@link HttpException} with 400. Used by one thread at a time.
 *
 * <pre>
 *   deflate:          BODY ──▶ END
 *   gzip:    HEAD ──▶ BODY ──▶ TAIL ──▶ END ──more input──▶ HEAD
 * </pre>
 */
public final class ContentDecoder implements AutoCloseable {
  private enum State {
    HEAD,
    BODY,
    TAIL,
    END
  }

  private static final int BAD_REQUEST = 400;
  private static final int TAIL_BYTES = 8;

  private final boolean gzip;
  private final Inflater inflater;
  private final GzipHead head = new GzipHead();
  private final CRC32 checksum = new CRC32();
  private State state;
  private byte[] input = {};
  private int position;
  private int limit;
  private long tail;
  private int tailBytes;
  private boolean closed;

  /** Creates a decoder of gzip, or of deflate. */
  public ContentDecoder(boolean gzip) {
    this.gzip = gzip;
    this.inflater = new Inflater(gzip);
    this.state = gzip ? State.HEAD : State.BODY;
  }

  /**
   * Sets the next input, after the last one has been consumed. It must not be changed until then.
   */
  public void input(byte[] source, int from, int length) {
    input = source;
    position = from;
    limit = from + length;
    if (state == State.BODY) {
      inflater.setInput(input, position, length);
    }
  }

  /** Decodes bytes into a range of an array. Returns their number; 0 if more input is needed. */
  public int decode(byte[] target, int from, int length) {
    while (true) {
      switch (state) {
        case HEAD -> {
          if (!readHead()) {
            return 0;
          }
        }
        case BODY -> {
          int bytes = inflate(target, from, length);
          if (bytes > 0 || state == State.BODY) {
            return bytes;
          }
        }
        case TAIL -> {
          if (!readTail()) {
            return 0;
          }
        }
        case END -> {
          if (position == limit) {
            return 0;
          }
          if (!gzip) {
            throw new HttpException(BAD_REQUEST, "bytes follow the deflate content");
          }
          state = State.HEAD;
        }
      }
    }
  }

  /** Returns true if the decoded content is complete. */
  public boolean isComplete() {
    return state == State.END && position == limit;
  }

  /** Releases native memory. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      inflater.end();
    }
  }

  private boolean readHead() {
    while (position < limit) {
      if (head.accept(input[position++])) {
        head.reset();
        inflater.reset();
        checksum.reset();
        tail = 0;
        tailBytes = 0;
        inflater.setInput(input, position, limit - position);
        state = State.BODY;
        return true;
      }
    }
    return false;
  }

  private int inflate(byte[] target, int from, int length) {
    try {
      int bytes = inflater.inflate(target, from, length);
      if (gzip) {
        checksum.update(target, from, bytes);
      }
      if (bytes == 0 && inflater.needsDictionary()) {
        throw new HttpException(BAD_REQUEST, "the content needs a dictionary");
      }
      if (bytes == 0) {
        position = limit - inflater.getRemaining();
        if (inflater.finished()) {
          state = gzip ? State.TAIL : State.END;
        }
      }
      return bytes;
    } catch (DataFormatException corrupt) {
      throw new HttpException(BAD_REQUEST, "the compressed content is corrupt");
    }
  }

  private boolean readTail() {
    while (tailBytes < TAIL_BYTES) {
      if (position == limit) {
        return false;
      }
      tail |= (input[position++] & 0xFFL) << (Byte.SIZE * tailBytes++);
    }
    long expected = inflater.getBytesWritten() << Integer.SIZE | checksum.getValue();
    if (tail != expected) {
      throw new HttpException(BAD_REQUEST, "the checksum of the compressed content is wrong");
    }
    state = State.END;
    return true;
  }
}
