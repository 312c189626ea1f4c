package dev.peregrine.server.handover;

import dev.peregrine.base.Log;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.PublishedSocket;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.accept.UnixListener;
import dev.peregrine.server.accept.UnixSocketFile;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a server that takes the sockets of the process before it, and gives them to the
 * process after it. While two processes have the same sockets, their listeners count as shared.
 */
final class HandOverLink implements SocketHandOver.Session, SocketGiver.Owner {
  private static final int BACKLOG = 16;
  private static final String PERMISSIONS = "rw-------";
  private static final long STOP_SECONDS_MAX = 5; // a handler may block its loop

  private final HandOverOptions options;
  private final String threadName;
  private final List<Open> opened = new ArrayList<>();
  private @Nullable SocketTaker taker; // null if no process had sockets
  private @Nullable SocketTaker stalled; // of a process that may still read that this one is ready
  private @Nullable PublishedSocket file;
  private @Nullable SocketGiver giver;
  private @Nullable Consumer<Duration> shutdown; // of this server
  private List<Acceptor> acceptors = List.of();
  private final List<OfferedSocket> offered = new ArrayList<>(); // as many as opened

  /**
   * A listener of this server.
   *
   * @param keptElsewhere true if a further process keeps the socket
   */
  private record Open(int endpoint, String name, Listener listener, boolean keptElsewhere) {}

  private HandOverLink(HandOverOptions options, String threadName, @Nullable SocketTaker taker) {
    this.options = options;
    this.threadName = threadName;
    this.taker = taker;
  }

  /**
   * Takes the sockets of the process that listens at the path.
   *
   * @throws IOException if that process keeps them, or has sockets for other endpoints
   */
  static HandOverLink open(
      HandOverOptions options, String threadName, List<ListenerSource> endpoints)
      throws IOException {
    String path = options.path().toAbsolutePath().toString();
    SocketTaker taker = SocketTaker.connect(path, options.readyTime().toNanos());
    if (taker != null) {
      try {
        check(taker, endpoints);
      } catch (Throwable failure) {
        taker.close();
        throw failure;
      }
    }
    return new HandOverLink(options, threadName, taker);
  }

  private static void check(SocketTaker taker, List<ListenerSource> endpoints) throws IOException {
    TreeMap<Integer, String> offered = new TreeMap<>();
    taker.sockets().forEach(socket -> offered.put(socket.endpoint(), socket.name()));
    List<String> there = offered.values().stream().sorted().toList();
    List<String> here = endpoints.stream().map(ListenerSource::name).sorted().toList();
    if (!there.equals(here)) {
      throw new IOException(
          "process " + taker.pid() + " listens on " + there + ", and this one should on " + here);
    }
  }

  @Override
  public List<Listener> open(int index, ListenerSource endpoint, Transport transport, int loops)
      throws IOException {
    List<Listener> listeners = new ArrayList<>();
    try {
      SocketTaker source = taker;
      if (source != null) {
        adopt(source, index, endpoint, transport, listeners);
      } else {
        endpoint.open(transport, loops, listeners);
        for (Listener listener : listeners) {
          opened.add(new Open(index, endpoint.name(), listener, endpoint.isInherited()));
        }
      }
      return listeners;
    } catch (Throwable failure) {
      ListenerSource.close(listeners, failure);
      throw failure;
    }
  }

  private void adopt(
      SocketTaker source,
      int index,
      ListenerSource endpoint,
      Transport transport,
      List<Listener> adopted)
      throws IOException {
    String name = endpoint.name();
    for (OfferedSocket socket : take(source, name)) {
      Listener listener = endpoint.adopt(transport, socket.descriptor());
      listener.setShared(true); // until the other process has left it
      adopted.add(listener);
      opened.add(new Open(index, name, listener, socket.shared()));
    }
  }

  /**
   * Returns the sockets of an endpoint that another process has given. The caller owns their
   * descriptors.
   */
  private static List<OfferedSocket> take(SocketTaker source, String name) {
    Integer index = null; // of the first endpoint of that name that is left
    for (OfferedSocket socket : source.sockets()) {
      if (socket.name().equals(name) && (index == null || socket.endpoint() < index)) {
        index = socket.endpoint();
      }
    }
    List<OfferedSocket> taken = new ArrayList<>();
    for (OfferedSocket socket : source.sockets()) {
      if (Integer.valueOf(socket.endpoint()).equals(index)) {
        source.release(socket);
        taken.add(socket);
      }
    }
    return taken;
  }

  @Override
  public void complete(List<Acceptor> all, Consumer<Duration> shutdownOfServer) throws IOException {
    shutdown = shutdownOfServer;
    acceptors = all;
    try {
      complete();
    } catch (Throwable failure) {
      shutdownOfServer.accept(options.patience()); // but not the requests that it has received
      throw failure;
    }
  }

  private void complete() throws IOException {
    LocalSocket path = taker == null ? listen() : confirm(taker);
    try {
      for (Open one : opened) {
        one.listener.setShared(one.keptElsewhere);
        int descriptor = ListeningSocket.duplicate(one.listener.descriptor());
        offered.add(new OfferedSocket(one.endpoint, one.name, descriptor, one.keptElsewhere));
      }
      giver = new SocketGiver(threadName, path, options.readyTime().toNanos(), this);
    } catch (Throwable failure) {
      path.close();
      onEnd();
      forgetStalled(false);
      throw failure;
    }
    giver.start();
  }

  private LocalSocket listen() throws IOException {
    UnixSocketFile target = new UnixSocketFile(options.path());
    LocalSocket socket = null;
    try {
      socket = LocalSocket.listen(target.bindAddress().getPath().toString(), BACKLOG);
      file = target.publish(PERMISSIONS);
      return socket;
    } catch (Throwable failure) {
      if (socket != null) {
        socket.close();
      }
      target.discard();
      throw failure;
    }
  }

  /** Tells the process before this one that this one is ready. Returns the hand-over socket. */
  private LocalSocket confirm(SocketTaker source) throws IOException {
    taker = null;
    try {
      options.beforeReady().run();
      if (source.ready()) {
        Log.add(Level.INFO, "the listening sockets of process " + source.pid() + " are taken over");
      } else {
        Log.add(
            Level.WARNING,
            "process " + source.pid() + " has not confirmed that it accepts no more connections");
      }
      LocalSocket path = source.releaseListener();
      try {
        path.listen(BACKLOG);
        file = PublishedSocket.at(options.path());
        stalled = source.isStalled() ? source : null;
        return path;
      } catch (Throwable failure) {
        path.close();
        throw failure;
      }
    } finally {
      if (stalled == null) {
        source.close();
      }
    }
  }

  @Override
  public List<OfferedSocket> sockets() {
    List<OfferedSocket> present = new ArrayList<>();
    for (int i = 0; i < offered.size(); i++) {
      OfferedSocket socket = offered.get(i);
      Listener listener = opened.get(i).listener;
      boolean lost = listener instanceof UnixListener unix && !unix.isReachable();
      present.add(
          new OfferedSocket(
              socket.endpoint(), socket.name(), socket.descriptor(), listener.isShared() || lost));
    }
    return present;
  }

  @Override
  public void onReady() {
    shareAll();
    CountDownLatch left = Acceptor.stopAll(acceptors);
    try {
      boolean ignored = left.await(STOP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onEnd() {
    offered.forEach(socket -> ListeningSocket.close(socket.descriptor()));
    offered.clear();
  }

  @Override
  public void onTaken() {
    Objects.requireNonNull(shutdown).accept(options.patience());
    options.onHandedOver().run();
  }

  private void shareAll() {
    opened.forEach(one -> one.listener.setShared(true));
  }

  @Override
  public void end() {
    SocketGiver ending = giver;
    if (ending == null) {
      return;
    }
    boolean passedOn = ending.end();
    if (passedOn) {
      shareAll();
    } else {
      Objects.requireNonNull(file).delete();
    }
    forgetStalled(passedOn);
  }

  private synchronized void forgetStalled(boolean passedOn) {
    SocketTaker before = stalled;
    stalled = null;
    if (before == null) {
      return;
    }
    if (passedOn) {
      before.closeAsPassedOn();
    } else {
      before.close();
    }
  }

  @Override
  public void abandon() {
    SocketTaker source = taker;
    if (source != null) {
      source.close();
    }
  }
}
