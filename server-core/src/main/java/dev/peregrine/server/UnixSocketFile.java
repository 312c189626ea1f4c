package dev.peregrine.server;

import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.Incident;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a listening Unix domain socket. It is bound within a directory that nobody else may
 * enter, gets its permissions there, and is then renamed to its path, so that it never accepts
 * connections from anybody who should not, nor refuses them.
 */
final class UnixSocketFile {
  private static final String NAME_WITHIN = "s";
  private static final int PATH_BYTES_MAX = 107; // in struct sockaddr_un, before the zero

  private final UnixEndpoint endpoint;
  private final Path directory;
  private @Nullable Object key; // tells this file from others at the path; null if it isn't there

  /**
   * Prepares a socket's file.
   *
   * @throws BindException if there is something at the path that must not be replaced, or no client
   *     could name it
   */
  UnixSocketFile(UnixEndpoint endpoint) throws IOException {
    this.endpoint = endpoint;
    int bytes = endpoint.path().toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > PATH_BYTES_MAX) {
      throw new BindException("the path is too long: " + bytes + " bytes of " + PATH_BYTES_MAX);
    }
    checkReplaceable(endpoint.path());
    this.directory =
        Files.createTempDirectory(
            endpoint.path().toAbsolutePath().getParent(),
            ".",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Returns where to bind the socket. */
  UnixDomainSocketAddress bindAddress() {
    return UnixDomainSocketAddress.of(directory.resolve(NAME_WITHIN));
  }

  /** Returns the address that clients connect to. */
  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(endpoint.path());
  }

  /** Moves the bound socket to its path. */
  void publish() throws IOException {
    Path bound = directory.resolve(NAME_WITHIN);
    Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString(endpoint.permissions()));
    Object own = key(bound);
    Files.move(bound, endpoint.path(), StandardCopyOption.ATOMIC_MOVE);
    key = own;
    Files.delete(directory);
  }

  /** Deletes what is left of a socket that could not be published. */
  void discard() {
    try {
      Files.deleteIfExists(directory.resolve(NAME_WITHIN));
      Files.deleteIfExists(directory);
    } catch (IOException left) {
      BoundedLog.log(Level.WARNING, Incident.SOCKET_FILE_LEFT, left);
    }
  }

  /** Deletes the file, unless it is another server's by now. */
  void delete() {
    Object own = key;
    if (own == null) {
      return;
    }
    key = null;
    try {
      if (own.equals(key(endpoint.path()))) {
        Files.delete(endpoint.path());
      }
    } catch (IOException gone) {
      BoundedLog.log(Level.DEBUG, Incident.SOCKET_FILE_LEFT, gone);
    }
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return Objects.requireNonNullElse(attributes.fileKey(), attributes.creationTime());
  }

  /** A path may be free, or have a socket that nobody listens on any more. */
  private static void checkReplaceable(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new BindException("there is a file that is no socket");
    }
    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      boolean ignored = client.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return;
    } catch (IOException unclear) {
      throw new BindException("what is there can't be connected to: " + unclear.getMessage());
    }
    throw new BindException("another process listens there");
  }
}
