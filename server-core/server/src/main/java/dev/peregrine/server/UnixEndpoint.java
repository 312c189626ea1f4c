package dev.peregrine.server;

import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.accept.UnixSource;
import dev.peregrine.server.config.EndpointLayer;
import java.nio.file.Path;

/**
 * A Unix domain socket to listen on; made by {@link Endpoint#unix}.
 *
 * <p>The file appears with its permissions, once connections are accepted. The socket of a process
 * that has ended, which refuses connections, is replaced. Any other file at that path is an error.
 * The server deletes its file when it stops listening, unless another server has taken the path
 * over. The file system must support POSIX permissions.
 */
public final class UnixEndpoint extends Endpoint {
  private final UnixSource source;

  UnixEndpoint(UnixSource source) {
    this.source = source;
  }

  @Override
  UnixSource source() {
    return source;
  }

  /** Returns the socket's file, in a directory that exists. */
  public Path path() {
    return source.path();
  }

  /** Returns who may connect, as {@code ls} prints it. */
  public String permissions() {
    return source.permissions();
  }

  /**
   * Returns this endpoint with other permissions, as {@code ls} prints them: {@code rw-------}, the
   * default, for this process's user, {@code rw-rw----} for its group too. On Linux a client needs
   * write permission.
   *
   * @throws IllegalArgumentException if the text isn't in that form
   */
  public UnixEndpoint withPermissions(String who) {
    return new UnixEndpoint(new UnixSource(path(), who, options()));
  }

  @Override
  public UnixEndpoint withBacklog(int count) {
    return with(options().withBacklog(count));
  }

  @Override
  public UnixEndpoint withConnectionsMax(int count) {
    return with(options().withConnectionsMax(count));
  }

  @Override
  public UnixEndpoint withHttp2(boolean on) {
    return with(optionsWithHttp2(on));
  }

  @Override
  public UnixEndpoint withHttp2Only() {
    return with(optionsSpeaking(HttpChoice.HTTP_2));
  }

  @Override
  public UnixEndpoint with(EndpointLayer layer) {
    return with(optionsBehind(layer));
  }

  @Override
  UnixEndpoint with(EndpointOptions other) {
    return new UnixEndpoint(source.with(other));
  }
}
