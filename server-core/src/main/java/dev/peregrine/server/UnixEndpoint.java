package dev.peregrine.server;

import dev.peregrine.base.Range;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A Unix domain socket to listen on; made by {@link Endpoint#unix}.
 *
 * <p>The file appears with its permissions, once connections are accepted. A socket that a process
 * has left behind, which refuses connections, is replaced. Anything else at that path is an error.
 * The server deletes its file when it stops listening, unless another server has taken the path
 * over. The file system must support POSIX permissions.
 *
 * @param path the socket's file, in a directory that exists
 * @param permissions who may connect, as {@code ls} prints it: {@code rw-------} for this process's
 *     user, {@code rw-rw----} for its group too. Write permission is what counts on Linux
 * @param backlog connections that the system holds before they are accepted, at least 1
 */
public record UnixEndpoint(Path path, String permissions, int backlog) implements Endpoint {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the permissions or the backlog can't be
   */
  public UnixEndpoint {
    if (path.getFileName() == null) {
      throw new IllegalArgumentException("path is " + path + ", which can't be a socket");
    }
    Objects.requireNonNull(PosixFilePermissions.fromString(permissions));
    Range.check("backlog", backlog, 1, Integer.MAX_VALUE);
  }

  /** Returns this endpoint with other permissions, such as {@code rw-rw----}. */
  public UnixEndpoint withPermissions(String who) {
    return new UnixEndpoint(path, who, backlog);
  }

  /** Returns this endpoint with another backlog, at least 1; 1024 by default. */
  public UnixEndpoint withBacklog(int count) {
    return new UnixEndpoint(path, permissions, count);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
