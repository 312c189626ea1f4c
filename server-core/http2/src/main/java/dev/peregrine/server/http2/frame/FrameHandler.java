package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a client in the order of their arrival, each with the form that RFC 9113 demands.
 * Methods return the fault that ends the connection, or null.
 */
public interface FrameHandler {
  /** The client's preface has arrived; called first, once. */
  void onPreface();

  /**
   * The head of a DATA frame has arrived. Its content follows piece by piece.
   *
   * @param length the bytes of the payload, padding included
   * @param content the bytes of content
   * @param ends whether {@link #onDataEnd} follows the content
   */
  @Nullable Violation onDataHead(int id, int length, int content, boolean ends);

  /** A piece of the content of the present DATA frame has arrived, at least one byte. */
  void onContent(Block block, int from, int to);

  /** The present DATA frame has arrived, and ends its stream. */
  void onDataEnd();

  /** The first of several frames of a field block has arrived. */
  void onBlockBegin();

  /** Another frame of a field block has arrived. */
  @Nullable Violation onContinuation();

  /**
   * A field block has arrived completely.
   *
   * @param ends whether it ends its stream
   * @param dependsOnItself whether the stream has itself as its dependency (RFC 7540 section 5.3.1)
   */
  @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself);

  /**
   * A SETTINGS frame has arrived. {@link #onSetting} follows for each setting, then {@link
   * #onSettingsEnd}.
   *
   * @param first whether it is the one of the client's preface
   */
  @Nullable Violation onSettings(int count, boolean first);

  @Nullable Violation onSetting(int setting, int value);

  void onSettingsEnd();

  @Nullable Violation onSettingsAcknowledged();

  @Nullable Violation onPing(long data);

  @Nullable Violation onPingAcknowledged(long data);

  /**
   * A WINDOW_UPDATE frame has arrived.
   *
   * @param id 0 for the connection
   * @param increment at least 0, which is a fault
   */
  @Nullable Violation onWindowUpdate(int id, int increment);

  /** A RST_STREAM frame has arrived. */
  @Nullable Violation onReset(int id);

  /**
   * A PRIORITY frame has arrived, of any length.
   *
   * @param dependency 0 if the frame is too short for one
   */
  @Nullable Violation onPriority(int id, int length, int dependency);

  /** A PRIORITY_UPDATE frame has arrived for a stream that a client may open. */
  @Nullable Violation onPriorityUpdate(int id, MemorySegment bytes, int from, int to);

  @Nullable Violation onGoAway();

  /** A frame has arrived of a type that this server doesn't know. */
  @Nullable Violation onUnknown();
}
