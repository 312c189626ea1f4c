package dev.peregrine.server.connection.facts;

import dev.peregrine.base.AddressText;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.transport.SocketFacts;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a connection for the listeners. Created with the connection if there are any, or
 * with its first event after a recording has begun. On the loop's thread.
 */
public final class ConnectionRecord implements ConnectionInfo {
  private final SocketFacts socket;
  private final LoopRecord loop;
  private long openedNanos;
  private long requests;
  private long receivedBytes;
  private long sentBytes;
  private boolean opened;
  private byte @Nullable [] remoteText; // created when a listener copies it

  /** Creates the facts of a connection that nobody is notified of yet. */
  public ConnectionRecord(SocketFacts socket, LoopRecord loop) {
    this.socket = socket;
    this.loop = loop;
  }

  /** Notifies the listeners that the connection is open. */
  public void open() {
    begin();
    ConnectionObservers observers = loop.observers;
    if (observers != null) {
      observers.onOpen(this);
    }
  }

  /** Begins to count and to report. */
  public void begin() {
    openedNanos = loop.loop.readClock();
    socket.keepAddresses(); // listeners also read them after the socket is closed
    opened = true;
  }

  /** Counts bytes that were received; a negative count is the end of the stream. */
  public void countReceived(int bytes) {
    if (bytes > 0) {
      receivedBytes += bytes;
      loop.countReceived(bytes);
    }
  }

  /** Counts bytes that were sent. */
  public void countSent(long bytes) {
    sentBytes += bytes;
    loop.countSent(bytes);
  }

  /** Counts a request that has begun. */
  public void countRequest() {
    requests++;
  }

  /** Notifies the listeners that a handshake is complete. */
  public void completeHandshake(TlsInfo tls, long nanos) {
    ConnectionObservers observers = loop.observers;
    if (opened && observers != null) {
      observers.onHandshake(this, tls, Duration.ofNanos(nanos));
    }
  }

  /** Notifies the listeners that a handshake has failed. */
  public void failHandshake(FailedHandshake failed) {
    ConnectionObservers observers = loop.observers;
    if (opened && observers != null) {
      observers.onHandshakeFailed(this, failed);
    }
  }

  /** Notifies the listeners that the connection is closed. */
  public void close(CloseReason reason) {
    ConnectionObservers observers = loop.observers;
    if (opened && observers != null) {
      opened = false;
      observers.onClose(this, reason, loop.loop.readClock());
    }
  }

  @Override
  public LoopInfo loop() {
    return loop.facts();
  }

  @Override
  public SocketAddress remoteAddress() {
    try {
      return socket.remoteAddress();
    } catch (IOException unknown) {
      return SocketFacts.UNNAMED;
    }
  }

  @Override
  public int copyRemoteAddress(byte[] into, int at) {
    byte[] text = remoteText;
    if (text == null) {
      text = AddressText.of(remoteAddress());
      remoteText = text;
    }
    return AddressText.copy(text, into, at);
  }

  @Override
  public SocketAddress localAddress() {
    try {
      return socket.localAddress();
    } catch (IOException unknown) {
      return SocketFacts.UNNAMED;
    }
  }

  @Override
  public SocketAddress peerAddress() {
    try {
      return socket.peerAddress();
    } catch (IOException unknown) {
      return SocketFacts.UNNAMED;
    }
  }

  @Override
  public long openedNanos() {
    return openedNanos;
  }

  @Override
  public long requests() {
    return requests;
  }

  @Override
  public long bytesReceived() {
    return receivedBytes;
  }

  @Override
  public long bytesSent() {
    return sentBytes;
  }
}
