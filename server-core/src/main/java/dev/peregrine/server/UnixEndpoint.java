package dev.peregrine.server;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A Unix domain socket to listen on; made by {@link Endpoint#unix}.
 *
 * <p>The file appears with its permissions, once connections are accepted. The socket of a process
 * that has ended, which refuses connections, is replaced. Any other file at that path is an error.
 * The server deletes its file when it stops listening, unless another server has taken the path
 * over. The file system must support POSIX permissions.
 */
public final class UnixEndpoint extends Endpoint {
  private final Path path;
  private final String permissions;

  UnixEndpoint(Path path, String permissions, EndpointOptions options) {
    super(options);
    if (path.getFileName() == null) {
      throw new IllegalArgumentException("path is " + path + ", which can't be a socket");
    }
    Objects.requireNonNull(PosixFilePermissions.fromString(permissions));
    this.path = path;
    this.permissions = permissions;
  }

  /** Returns the socket's file, in a directory that exists. */
  public Path path() {
    return path;
  }

  /** Returns who may connect, as {@code ls} prints it. */
  public String permissions() {
    return permissions;
  }

  /**
   * Returns this endpoint with other permissions, as {@code ls} prints them: {@code rw-------}, the
   * default, for this process's user, {@code rw-rw----} for its group too. On Linux a client needs
   * write permission.
   *
   * @throws IllegalArgumentException if the text isn't in that form
   */
  public UnixEndpoint withPermissions(String who) {
    return new UnixEndpoint(path, who, options);
  }

  @Override
  public UnixEndpoint withBacklog(int count) {
    return with(options.withBacklog(count));
  }

  @Override
  public UnixEndpoint withConnectionsMax(int count) {
    return with(options.withConnectionsMax(count));
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
  public UnixEndpoint withTls(Tls tls) {
    return with(optionsBehind(tls));
  }

  @Override
  public UnixEndpoint withProxyProtocol(TrustedPeers peers) {
    return with(optionsBehind(peers));
  }

  @Override
  UnixEndpoint with(EndpointOptions other) {
    return new UnixEndpoint(path, permissions, other);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
