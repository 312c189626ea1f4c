package dev.peregrine.http.arriving;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.RetainedBytes;
import java.lang.foreign.MemorySegment;

/**
 * Retains copies of bytes that were made of a request's content, such as its lines. The body of a
 * server's request is one, so that these copies count like content itself.
 */
public interface Keeper {
  /**
   * Retains a copy of a range; on any thread that may read the memory.
   *
   * @throws HttpException 503 if more than the limit would be retained; nothing is retained then
   */
  RetainedBytes keep(MemorySegment memory, long from, int length);

  /** Returns what retains copies of a body's content; uncounted if that isn't a server's body. */
  static Keeper of(RequestBody body) {
    return body instanceof Keeper keeper ? keeper : KeptBytes::copyOf;
  }
}
