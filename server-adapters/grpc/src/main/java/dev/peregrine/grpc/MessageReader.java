package dev.peregrine.grpc;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import io.grpc.Status;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Divides the content of a call into messages, each after a byte for its compression and four for
 * its length. Belongs to the event loop.
 *
 * <p>A message is passed on when it is requested. Until then, what has arrived after it waits here,
 * at most one piece of content, and no more is read. Half a message takes as much memory as has
 * arrived of it.
 */
final class MessageReader implements BodyListener {
  /** Takes messages and the end, on the event loop. */
  interface Receiver {
    /** Takes a message, which is valid during the call if it is not in a {@link HeapBytes}. */
    void receive(Bytes piece, int from, int length, boolean compressed);

    /** Takes a message that has arrived in several pieces. */
    void receive(byte[] message, boolean compressed);

    /** The client has sent its last message. */
    void receiveEnd();

    /** The client has violated the protocol or a limit. Nothing follows. */
    void receiveFault(Status status);
  }

  private static final int PREFIX_BYTES = 5;
  private static final int GATHERED_BYTES_MIN = 16 * 1024;
  private static final byte[] NONE = {};

  private final RequestBody body;
  private final Receiver receiver;
  private final Demand demand;
  private final int messageBytesMax;
  private long prefix; // its bytes so far
  private int prefixBytes;
  private int length; // of the message, once the prefix is complete
  private boolean compressed;
  private byte[] gathered = NONE; // a message in several pieces
  private int gatheredBytes;
  private @Nullable HeapBytes held; // waits for demand
  private int heldFrom;
  private boolean ended;
  private boolean stopped;

  MessageReader(RequestBody body, Receiver receiver, Demand demand, int messageBytesMax) {
    this.body = body;
    this.receiver = receiver;
    this.demand = demand;
    this.messageBytesMax = messageBytesMax;
  }

  @Override
  public void onData(Bytes data) {
    if (held != null) {
      held = held.and(heldFrom, data);
      heldFrom = 0;
      return;
    }
    int at = consume(data, 0);
    if (at < data.length() && !stopped) {
      held = new HeapBytes(data, at);
      heldFrom = 0;
      body.pause();
    }
  }

  @Override
  public void onEnd() {
    ended = true;
    endIfConsumed();
  }

  @Override
  public void onError(IOException cause) {
    stop();
  }

  /** Drops what has arrived, and what will. */
  void stop() {
    stopped = true;
    held = null;
    gathered = NONE;
  }

  /** Continues with what waits, because a message was requested. */
  void onDemand() {
    if (stopped || !demand.isStarved()) {
      return;
    }
    HeapBytes waiting = held;
    if (waiting == null) {
      int ignored = consume(HeapBytes.EMPTY, 0);
    } else {
      heldFrom = consume(waiting, heldFrom);
      if (heldFrom == waiting.length() && !stopped) {
        held = null;
        body.resume();
      }
    }
    endIfConsumed();
  }

  private void endIfConsumed() {
    boolean waits = held != null || (isBegun() && length == 0);
    if (!ended || stopped || waits) {
      return;
    }
    stopped = true;
    if (prefixBytes > 0) {
      receiver.receiveFault(Status.INTERNAL.withDescription("Encountered end-of-stream mid-frame"));
    } else {
      receiver.receiveEnd();
    }
  }

  /** Returns true if the prefix of a message is complete, and the message is not. */
  private boolean isBegun() {
    return prefixBytes == PREFIX_BYTES;
  }

  /** Passes requested messages on. Returns the index of the first byte that isn't consumed. */
  private int consume(Bytes data, int from) {
    int at = from;
    while (!stopped) {
      if (!isBegun()) {
        int bytes = Math.min(PREFIX_BYTES - prefixBytes, data.length() - at);
        for (int end = at + bytes; at < end; at++) {
          prefix = prefix << 8 | (data.get(at) & 0xFF);
        }
        prefixBytes += bytes;
        if (!isBegun() || !begin()) {
          return at;
        }
      }
      if (!demand.begin()) {
        return at;
      }
      int missing = length - gatheredBytes;
      int bytes = Math.min(missing, data.length() - at);
      if (bytes < missing) {
        gather(data, at, bytes);
        return at + bytes;
      }
      demand.take();
      at += bytes;
      pass(data, at - bytes, bytes);
    }
    return data.length();
  }

  /** Begins a message after its prefix. Returns false if it is not valid. */
  private boolean begin() {
    int flags = (int) (prefix >>> 32) & 0xFF; // older bytes are above
    long declared = prefix & 0xFFFF_FFFFL;
    Status fault = null;
    if (flags > 1) {
      fault =
          Status.INTERNAL.withDescription("gRPC frame header malformed: reserved bits not zero");
    } else if (declared > messageBytesMax) {
      fault =
          Status.RESOURCE_EXHAUSTED.withDescription(
              "gRPC message exceeds maximum size " + messageBytesMax + ": " + declared);
    }
    if (fault != null) {
      stop();
      receiver.receiveFault(fault);
      return false;
    }
    compressed = flags == 1;
    length = (int) declared;
    return true;
  }

  private void gather(Bytes data, int from, int bytes) {
    if (bytes == 0) {
      return;
    }
    int needed = gatheredBytes + bytes;
    if (needed > gathered.length) {
      int doubled = Math.max(GATHERED_BYTES_MIN, (int) Math.min(length, 2L * needed));
      gathered = Arrays.copyOf(gathered, Math.min(length, doubled));
    }
    data.copyTo(from, gathered, gatheredBytes, bytes);
    gatheredBytes = needed;
  }

  /** Passes a message on, whose last bytes are in this piece. */
  private void pass(Bytes data, int from, int bytes) {
    prefixBytes = 0;
    if (gatheredBytes == 0) {
      receiver.receive(data, from, bytes, compressed);
      return;
    }
    gather(data, from, bytes);
    byte[] message = gathered;
    gathered = NONE;
    gatheredBytes = 0;
    receiver.receive(message, compressed);
  }
}
