package dev.peregrine.server;

import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.config.EndpointLayer;

/**
 * Listening sockets that this process was started with; made by {@link Endpoint#of}. They are
 * stream sockets of TCP or of the Unix domain. They need the epoll transport.
 *
 * <p>The server uses duplicates of their descriptors, and closes only these. So when the server has
 * stopped, the system still takes connections, for the next process that has the same sockets. The
 * file of a Unix domain socket is not deleted.
 */
public final class InheritedEndpoint extends Endpoint {
  private final ListenerSource source;

  InheritedEndpoint(ListenerSource source) {
    this.source = source;
  }

  @Override
  ListenerSource source() {
    return source;
  }

  /**
   * {@inheritDoc}
   *
   * <p>It replaces the backlog that the sockets were created with.
   */
  @Override
  public InheritedEndpoint withBacklog(int count) {
    return with(options().withBacklog(count));
  }

  @Override
  public InheritedEndpoint withConnectionsMax(int count) {
    return with(options().withConnectionsMax(count));
  }

  @Override
  public InheritedEndpoint withHttp2(boolean on) {
    return with(optionsWithHttp2(on));
  }

  @Override
  public InheritedEndpoint withHttp2Only() {
    return with(optionsSpeaking(HttpChoice.HTTP_2));
  }

  @Override
  public InheritedEndpoint with(EndpointLayer layer) {
    return with(optionsBehind(layer));
  }

  @Override
  InheritedEndpoint with(EndpointOptions other) {
    return new InheritedEndpoint(source.with(other));
  }
}
