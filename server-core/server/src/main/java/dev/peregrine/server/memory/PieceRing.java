package dev.peregrine.server.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pieces of an {@link OutboundQueue}, in order. It keeps those that are removed for reuse. */
final class PieceRing {
  private static final int PIECES_INITIAL = 4;
  private static final Piece NONE = new Piece(); // an immutable piece without room
  private static final int RUN_BYTES = OutboundQueue.RUN_BLOCK_BYTES;

  private @Nullable Piece[] slots = new Piece[PIECES_INITIAL];
  private int first;
  private int count;
  private Piece last = NONE;
  private int removed;

  int count() {
    return count;
  }

  /** Returns a piece, 0 for the first. */
  Piece get(int i) {
    return Objects.requireNonNull(slots[(first + i) & (slots.length - 1)]);
  }

  /** Returns the last piece; one without room if there is none. */
  Piece last() {
    return last;
  }

  /** Returns the piece before the last one; one without room if there is none. */
  Piece beforeLast() {
    return count > 1 ? get(count - 2) : NONE;
  }

  /** Returns the piece to {@link #add}; may allocate, and changes nothing if that fails. */
  Piece next() {
    if (count == slots.length) {
      grow();
    }
    int slot = (first + count) & (slots.length - 1);
    Piece piece = slots[slot];
    if (piece == null) {
      piece = new Piece();
      slots[slot] = piece;
    }
    return piece;
  }

  private void grow() {
    @Nullable Piece[] larger = new Piece[2 * count];
    for (int i = 0; i < count; i++) {
      larger[i] = get(i);
    }
    slots = larger;
    first = 0;
  }

  /** Adds the piece that {@link #next} has returned. */
  void add(Piece next) {
    count++;
    last = next;
  }

  /** Removes the first piece, which the caller has cleared. */
  void removeFirst() {
    first = (first + 1) & (slots.length - 1);
    removed++;
    if (--count == 0) {
      last = NONE;
    }
  }

  // False for each 256th piece, so that C2 compiles Http1.onInput with a block of the pool, too.
  boolean mayKeep(Block block) {
    return block.capacity() == RUN_BYTES && !block.isShared() && (removed & 0xFF) != 0;
  }
}
