package dev.peregrine.server.handover;

import dev.peregrine.base.Range;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.start.Feature;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The hand-over of a server's listening sockets to the next process, for a restart without a lost
 * connection. Immutable. Needs the epoll transport.
 *
 * <pre>{@code
 * HttpServer.builder()
 *     .port(8080)
 *     .with(Epoll.create())
 *     .with(HandOver.at(Path.of("/run/shop/hand-over.sock")))
 * }</pre>
 *
 * <p>A server that starts with it asks the process that listens at the path for its sockets. If
 * there is none, the server binds its endpoints itself. In any case it then listens at the path for
 * the next process. When that one accepts connections, this server stops accepting, and ends as by
 * {@link HttpServer#shutdown}. If the next process fails before, this server continues as if
 * nothing had happened.
 *
 * <p>Both processes must have the same endpoints, in any order. They run as the same user: the
 * hand-over socket has the permissions {@code rw-------}, and each process checks the user of the
 * other one, which may also be root.
 */
@SuppressWarnings("exports") // what the server sees of it
public final class HandOver extends Feature {
  private final Path path;
  private final Duration patience;
  private final Duration readyTime;
  private final Runnable beforeReady;
  private final Runnable onHandedOver;

  private HandOver(
      Path path,
      Duration patience,
      Duration readyTime,
      Runnable beforeReady,
      Runnable onHandedOver) {
    this.path = path;
    this.patience = patience;
    this.readyTime = readyTime;
    this.beforeReady = beforeReady;
    this.onHandedOver = onHandedOver;
  }

  /**
   * Returns a hand-over by the socket at a path.
   *
   * @param path a file in a directory that exists, where only this user can create files
   */
  public static HandOver at(Path path) {
    if (path.getFileName() == null) {
      throw new IllegalArgumentException("path is " + path + ", which can't be a socket");
    }
    Runnable nothing = () -> {};
    return new HandOver(path, Duration.ofSeconds(30), Duration.ofSeconds(30), nothing, nothing);
  }

  /** Returns the file of the hand-over socket. */
  public Path path() {
    return path;
  }

  /** Returns the time for the requests under way in the old process. */
  public Duration patience() {
    return patience;
  }

  /** Returns the time that each process gives the other one. */
  public Duration readyTime() {
    return readyTime;
  }

  @Override
  protected SocketHandOver handOver() {
    return new HandOverOptions(path, patience, readyTime, beforeReady, onHandedOver);
  }

  /**
   * Returns this hand-over with another time for the requests that are under way when another
   * process has taken the sockets; 30 seconds by default. See {@link HttpServer#shutdown}.
   */
  public HandOver withPatience(Duration time) {
    Range.checkNotNegative("patience", time);
    return new HandOver(path, time, readyTime, beforeReady, onHandedOver);
  }

  /**
   * Returns this hand-over with another time that each process gives the other one; 30 seconds by
   * default. The old process waits so long from the moment when it has sent the sockets until the
   * new one is ready, then refuses them. The new one waits so long for an answer.
   */
  public HandOver withReadyTime(Duration time) {
    Range.checkPositive("readyTime", time);
    return new HandOver(path, patience, time, beforeReady, onHandedOver);
  }

  /**
   * Returns this hand-over with work for the new process when it accepts connections, but the old
   * one doesn't know yet: both share the connections meanwhile. That warms up the new process, or
   * tells a supervisor its id. {@link HttpServerBuilder#start} fails if this throws, and the old
   * process continues. Not called if no other process had sockets.
   */
  public HandOver beforeReady(Runnable work) {
    return new HandOver(path, patience, readyTime, work, onHandedOver);
  }

  /**
   * Returns this hand-over with work for the old process when its server has ended because another
   * process has its sockets. It is called on a thread of its own, which isn't a daemon thread. By
   * default nothing happens: the program ends if no other thread keeps it running.
   */
  public HandOver onHandedOver(Runnable work) {
    return new HandOver(path, patience, readyTime, beforeReady, work);
  }
}
