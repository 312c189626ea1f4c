package dev.peregrine.server.accept;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The file of a listening Unix domain socket at the path that clients connect to. Thread-safe. */
public final class PublishedSocket {
  private final Path path;
  private @Nullable Object key; // identifies the file; null once it is deleted

  private PublishedSocket(Path path, Object key) {
    this.path = path;
    this.key = key;
  }

  /** The file that is at a path. */
  public static PublishedSocket at(Path path) throws IOException {
    return of(path, path);
  }

  /** The file that is going to be moved to a path. */
  static PublishedSocket of(Path path, Path file) throws IOException {
    return new PublishedSocket(path, key(file));
  }

  /** Returns true if the file at the path is still this one. */
  synchronized boolean isPresent() {
    try {
      return key != null && key.equals(key(path));
    } catch (IOException gone) {
      return false;
    }
  }

  /** Deletes the file, unless it is another server's by now. */
  public synchronized void delete() {
    boolean own = isPresent();
    key = null;
    try {
      if (own) {
        Files.delete(path);
      }
    } catch (IOException gone) {
      Log.add(Level.DEBUG, Incident.SOCKET_FILE_LEFT, gone);
    }
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return Objects.requireNonNullElse(attributes.fileKey(), attributes.creationTime());
  }
}
