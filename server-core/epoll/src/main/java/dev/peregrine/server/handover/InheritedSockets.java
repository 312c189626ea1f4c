package dev.peregrine.server.handover;

import dev.peregrine.server.config.EndpointSource;
import java.util.Objects;

/**
 * Listening sockets that this process was started with, for {@code Endpoint.of}. They need the
 * epoll transport.
 *
 * <pre>{@code
 * HttpServer.builder()
 *     .with(Epoll.create())
 *     .endpoint(Endpoint.of(InheritedSockets.activated()))
 * }</pre>
 */
public final class InheritedSockets {
  private InheritedSockets() {}

  /**
   * Returns a socket that this process has inherited, by its descriptor.
   *
   * @param number at least 0
   */
  public static EndpointSource descriptor(int number) {
    return InheritedSource.ofDescriptor(number);
  }

  /**
   * Returns all listening sockets that systemd has started this process with (socket activation,
   * {@code LISTEN_FDS}), in their order.
   */
  public static EndpointSource activated() {
    return InheritedSource.ofSystemd(null);
  }

  /**
   * Returns those listening sockets of systemd that have a name.
   *
   * @param name {@code FileDescriptorName=} of the socket unit, or {@code FDNAME=} of the
   *     descriptor store
   */
  public static EndpointSource activated(String name) {
    return InheritedSource.ofSystemd(Objects.requireNonNull(name));
  }
}
