package dev.peregrine.server.transport.epoll;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.SocketWatch;
import java.io.IOException;

/** Reports of a loop about a descriptor that others use and close. */
public final class EpollWatch extends EpollHandle implements ReadyHandler, SocketWatch {
  private static final int EVENTS =
      EpollInstance.IN
          | EpollInstance.PRI
          | EpollInstance.OUT
          | EpollInstance.RDHUP
          | EpollInstance.ET;
  private static final int END_EVENTS =
      EpollInstance.PRI | EpollInstance.RDHUP | EpollInstance.HUP | EpollInstance.ERR;
  private static final int READ_EVENTS = EpollInstance.IN | END_EVENTS;
  private static final int WRITE_EVENTS = EpollInstance.OUT | EpollInstance.HUP | EpollInstance.ERR;

  private final Listener listener;

  public EpollWatch(int fd, Listener listener) {
    super(fd);
    this.listener = listener;
  }

  /** Returns true if the sockets of a poller can be watched. */
  public static boolean isPossible(Poller poller) {
    return poller instanceof EpollPoller;
  }

  @Override
  public void begin(Poller poller) throws IOException {
    attach(poller, this, EVENTS);
    setInterest(Ready.READ | Ready.WRITE);
  }

  @Override
  public void end(boolean isOpen) {
    if (isOpen) {
      deregister();
    }
    detach();
  }

  @Override
  public boolean reports(int direction) {
    return true;
  }

  @Override
  public void report() {}

  @Override
  int readyOps(int events) {
    if ((events & END_EVENTS) != 0) {
      listener.onInputEnd();
    }
    return ((events & READ_EVENTS) != 0 ? Ready.READ : 0)
        | ((events & WRITE_EVENTS) != 0 ? Ready.WRITE : 0);
  }

  @Override
  void onPollerClosed() {
    listener.onLoopEnd();
  }

  @Override
  public void onReady(int ops) {
    clearReady(ops);
    if ((ops & Ready.READ) != 0) {
      listener.onReady(Ready.READ);
    }
    if ((ops & Ready.WRITE) != 0) {
      listener.onReady(Ready.WRITE);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    listener.onFailure(failure);
  }
}
