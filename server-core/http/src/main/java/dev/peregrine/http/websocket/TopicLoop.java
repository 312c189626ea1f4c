package dev.peregrine.http.websocket;

import dev.peregrine.base.FailureLog;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The part of a topic that one event loop has: its members, and the entries that wait for them. Any
 * thread adds entries. The loop works them off in slices, each a task of its own, so that the
 * events of sockets come between.
 *
 * <pre>
 * position ─▶ change ─▶ change ─▶ message ─▶ message ─▶ change ─▶ … ─▶ last
 *             applied             └─ a batch: one walk ┘
 * </pre>
 *
 * <p>Messages that find too many others waiting are dropped. If the policy isn't to skip them, a
 * gap takes their place, and the walk for it ends the members. One gap stands for all messages that
 * are dropped until the next socket joins, so gaps don't make the queue grow.
 */
final class TopicLoop implements Runnable {
  private static final FailureLog FAILURES = new FailureLog();

  /** Messages to one socket each, sockets that are ended, or changes, of a slice. */
  static final int SLICE = 256;

  /** The messages of a batch are less than this and one more, below common high-water marks. */
  static final int BATCH_BYTES = 16 * 1024;

  static final int BATCH_MESSAGES = 64;

  private final Topic topic;
  private final Executor executor;
  private final Users users = new Users(); // members, and sockets that are about to join
  private final AtomicReference<TopicEntry> last;
  private final AtomicBoolean isScheduled = new AtomicBoolean();
  private final AtomicInteger waitingMessages = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicBoolean hasGap = new AtomicBoolean(); // and no socket has joined after it
  private final AtomicBoolean isDropping = new AtomicBoolean(); // until half of the room is free
  private volatile int memberCount;

  // The rest belongs to the loop.
  private final TopicMembers members = new TopicMembers();
  private TopicEntry position; // all up to this one are done
  private @Nullable TopicEntry batchEnd; // null between two batches
  private int batchMessages;
  private long batchBytes;
  private @Nullable TopicMember receiver; // of the batch, while it is sent
  private final Runnable sending = this::sendBatch;
  private long delivered; // not yet added to the topic's counts, like the next
  private long skipped;

  TopicLoop(Topic topic, Executor executor) {
    this.topic = topic;
    this.executor = executor;
    this.position = TopicEntry.none();
    this.last = new AtomicReference<>(position);
  }

  Executor executor() {
    return executor;
  }

  int memberCount() {
    return memberCount;
  }

  /** Announces a socket that is about to join; returns false if this object isn't used any more. */
  boolean retain() {
    return users.retain();
  }

  /**
   * Adds a message, or drops it if too many wait.
   *
   * @return true if there is room for more
   */
  boolean publish(WebSocketMessage message) {
    int messages = waitingMessages.get();
    long bytes = waitingBytes.get();
    if (messages >= Topic.WAITING_MESSAGES_MAX || bytes >= Topic.WAITING_BYTES_MAX) {
      drop(messages, bytes);
      return false;
    }
    waitingMessages.incrementAndGet();
    waitingBytes.addAndGet(message.length());
    add(TopicEntry.message(message));
    boolean hasRoom =
        messages < Topic.WAITING_MESSAGES_MAX / 2 && bytes < Topic.WAITING_BYTES_MAX / 2;
    if (hasRoom && isDropping.get()) {
      isDropping.set(false);
    }
    return hasRoom;
  }

  private void drop(int messages, long bytes) {
    int missing = memberCount;
    boolean isFirst = isDropping.compareAndSet(false, true);
    topic.onDropped(missing);
    if (isFirst) {
      topic.dropLog().add(missing, messages, bytes);
    }
    if (topic.slowReceiver() != SlowReceiver.SKIP && hasGap.compareAndSet(false, true)) {
      add(TopicEntry.gap());
    }
  }

  void add(TopicEntry entry) {
    last.getAndSet(entry).next = entry;
    if (entry.joins && hasGap.get()) {
      hasGap.set(false); // the next message that is dropped needs a gap after this entry
    }
    schedule();
  }

  private void schedule() {
    if (isScheduled.compareAndSet(false, true)) {
      execute();
    }
  }

  private void execute() {
    try {
      executor.execute(this);
    } catch (RejectedExecutionException stopped) {
      users.retire(); // the loop has ended, and its sockets with it
      topic.remove(this);
    } catch (Throwable failure) {
      isScheduled.set(false); // for the next entry
      throw failure;
    }
  }

  /** Works off a slice, then lets the sockets have their turns. */
  @Override
  public void run() {
    try {
      doSlice();
    } finally {
      topic.count(delivered, skipped);
      delivered = 0;
      skipped = 0;
      if (batchEnd != null || position.next != null) {
        execute();
      } else {
        isScheduled.set(false);
        if (position.next != null) { // added before it could see that
          schedule();
        }
      }
    }
  }

  private void doSlice() {
    int left = SLICE;
    if (batchEnd == null) {
      left -= applyChanges(left);
      beginBatch();
    }
    while (members.isWalking() && left > 0) {
      left -= Math.max(batchMessages, 1);
      TopicMember member = Objects.requireNonNull(members.visit());
      try {
        if (batchMessages == 0) {
          leave(member);
          topic.end(member.socket, "the server is behind and has dropped messages");
        } else {
          deliver(member);
        }
      } catch (Throwable failure) {
        cut(member, failure);
      }
    }
    if (!members.isWalking()) {
      endBatch();
    }
  }

  /** Applies the changes before the next message; returns their number. */
  private int applyChanges(int most) {
    int applied = 0;
    TopicEntry next = position.next;
    while (applied < most && next != null && next.isChange()) {
      position = next;
      WebSocket socket = Objects.requireNonNull(next.socket);
      if (next.joins) {
        join(socket);
      } else {
        leave(members.find(socket));
      }
      position.clear();
      applied++;
      next = next.next;
    }
    return applied;
  }

  private void join(WebSocket socket) {
    if (!socket.isOpen() || members.find(socket) != null) {
      release();
      return;
    }
    TopicMember member = members.add(socket);
    memberCount = members.count();
    member.onClose = socket.onClose(() -> leave(member));
  }

  private void leave(@Nullable TopicMember member) {
    if (member == null || member.index < 0) {
      return;
    }
    members.remove(member);
    memberCount = members.count();
    if (member.onClose != null) {
      member.onClose.cancel();
    }
    release();
  }

  private void release() {
    if (users.release()) {
      topic.remove(this);
    }
    topic.release();
  }

  private void beginBatch() {
    TopicEntry entry = position.next;
    batchMessages = 0;
    batchBytes = 0;
    if (entry != null && entry.isGap()) { // a batch of its own, without messages
      hasGap.set(false);
      batchEnd = entry;
    }
    while (entry != null
        && entry.message != null
        && batchMessages < BATCH_MESSAGES
        && batchBytes < BATCH_BYTES) {
      batchMessages++;
      batchBytes += entry.message.length();
      batchEnd = entry;
      entry = entry.next;
    }
    if (batchEnd != null) {
      members.beginWalk();
    }
  }

  private void endBatch() {
    if (batchEnd != null) {
      position = batchEnd;
      position.clear();
      batchEnd = null;
      receiver = null;
      waitingMessages.addAndGet(-batchMessages);
      waitingBytes.addAndGet(-batchBytes);
    }
  }

  /** Sends the messages of the batch to one socket, in one write. */
  private void deliver(TopicMember member) {
    if (!member.socket.isOpen()) {
      leave(member);
      return;
    }
    receiver = member;
    member.socket.gather(sending);
  }

  private void sendBatch() {
    TopicMember member = Objects.requireNonNull(receiver);
    WebSocket socket = member.socket;
    boolean isWritable = socket.isWritable();
    TopicEntry entry = position;
    while (entry != batchEnd) {
      entry = Objects.requireNonNull(entry.next);
      if (isWritable) {
        isWritable = socket.send(Objects.requireNonNull(entry.message));
        delivered++;
      } else if (topic.slowReceiver() == SlowReceiver.SKIP) {
        skipped++;
      } else {
        skipped++;
        leave(member);
        topic.end(socket, "the client is too slow");
        return;
      }
    }
  }

  /** Ends a socket that a message couldn't be sent to, so that no other socket is affected. */
  private void cut(TopicMember member, Throwable failure) {
    FAILURES.add("sending a message of a topic failed", failure);
    leave(member);
    member.socket.abort();
  }
}
