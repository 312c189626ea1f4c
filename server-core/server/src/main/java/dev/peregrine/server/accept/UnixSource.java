package dev.peregrine.server.accept;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;

/**
 * A Unix domain socket that the server binds.
 *
 * @param path its file, in a directory that exists
 * @param permissions of the file, as {@code ls} prints them
 */
public record UnixSource(Path path, String permissions, EndpointOptions options)
    implements ListenerSource {
  /** Checks the values. */
  public UnixSource {
    if (path.getFileName() == null) {
      throw new IllegalArgumentException("path is " + path + ", which can't be a socket");
    }
    Objects.requireNonNull(PosixFilePermissions.fromString(permissions));
  }

  @Override
  public UnixSource with(EndpointOptions other) {
    return new UnixSource(path, permissions, other);
  }

  @Override
  public void open(Transport transport, int loops, List<Listener> opened) throws IOException {
    opened.add(UnixListener.open(transport, path, permissions, options.backlog()));
  }

  @Override
  public Listener adopt(Transport transport, int descriptor) throws IOException {
    return UnixListener.adopt(transport, path, descriptor, options.backlog());
  }

  @Override
  public String name() {
    return path.toAbsolutePath().normalize().toString();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
