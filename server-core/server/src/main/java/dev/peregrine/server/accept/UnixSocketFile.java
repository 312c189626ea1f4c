package dev.peregrine.server.accept;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
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

/**
 * The file of a listening Unix domain socket. The socket is bound within a directory that no other
 * user may enter, gets its permissions there, and is then renamed to its path. So it never accepts
 * a client without permission.
 */
public final class UnixSocketFile {
  private static final String NAME_WITHIN = "s";
  private static final int PATH_BYTES_MAX = 107; // in struct sockaddr_un, before the zero

  private final Path path;
  private final Path directory;

  /**
   * Prepares a socket's file.
   *
   * @throws BindException if the path is too long, or has a file that must not be replaced
   */
  public UnixSocketFile(Path path) throws IOException {
    this.path = path;
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > PATH_BYTES_MAX) {
      throw new BindException("the path is too long: " + bytes + " bytes of " + PATH_BYTES_MAX);
    }
    checkReplaceable(path);
    this.directory =
        Files.createTempDirectory(
            path.toAbsolutePath().getParent(),
            ".",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Returns where to bind the socket. */
  public UnixDomainSocketAddress bindAddress() {
    return UnixDomainSocketAddress.of(directory.resolve(NAME_WITHIN));
  }

  /** Returns the address that clients connect to. */
  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(path);
  }

  /**
   * Moves the bound socket to its path.
   *
   * @param permissions as {@code ls} prints them
   */
  public PublishedSocket publish(String permissions) throws IOException {
    Path bound = directory.resolve(NAME_WITHIN);
    Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString(permissions));
    PublishedSocket published = PublishedSocket.of(path, bound);
    Files.move(bound, path, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(directory);
    return published;
  }

  /** Deletes the remains of a socket that could not be published. */
  public void discard() {
    try {
      Files.deleteIfExists(directory.resolve(NAME_WITHIN));
      Files.deleteIfExists(directory);
    } catch (IOException left) {
      Log.add(Level.WARNING, Incident.SOCKET_FILE_LEFT, left);
    }
  }

  /** Throws unless the path is free, or has a socket that no process listens on any more. */
  private static void checkReplaceable(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new BindException("the path exists and is not a socket");
    }
    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      boolean ignored = client.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return;
    } catch (IOException unclear) {
      throw new BindException("the socket can't be connected to: " + unclear.getMessage());
    }
    throw new BindException("another process listens there");
  }
}
