package dev.peregrine.http.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files below a directory. What lies elsewhere is found only if links may lead there, and
 * nothing is opened that isn't a regular file. Every method may wait for the disk.
 */
final class FileTree {
  /**
   * Something in the tree.
   *
   * @param named its path by the names that were asked for
   * @param real its path without links
   */
  record Found(Path named, Path real, BasicFileAttributes attributes) {}

  private final Path root;
  private final boolean linksLeaveRoot;

  FileTree(Path root, boolean linksLeaveRoot) {
    this.root = root;
    this.linksLeaveRoot = linksLeaveRoot;
    if (!Files.isDirectory(root)) {
      throw new UncheckedIOException(new IOException("not a directory: " + root));
    }
  }

  /**
   * Looks something up by its names from the root on.
   *
   * @return null if there is no such thing
   * @throws AccessDeniedException if it may not be looked at
   */
  @Nullable Found find(List<String> names) throws AccessDeniedException {
    try {
      return find(names.isEmpty() ? root : root.resolve(path(names)));
    } catch (InvalidPathException notAPath) {
      return null;
    }
  }

  /** At once: one name after the other would copy the path as often as there are names. */
  private Path path(List<String> names) {
    String[] rest = names.subList(1, names.size()).toArray(String[]::new);
    return root.getFileSystem().getPath(names.getFirst(), rest);
  }

  /** Like {@link #find(List)}, for something in a directory that was found. */
  @Nullable Found findIn(Found directory, String name) throws AccessDeniedException {
    return find(directory.named.resolve(name));
  }

  /** Like {@link #find(List)}, for a file beside one that was found, of that name and an ending. */
  @Nullable Found findBeside(Found found, String ending) throws AccessDeniedException {
    return find(found.named.resolveSibling(found.named.getFileName() + ending));
  }

  private @Nullable Found find(Path path) throws AccessDeniedException {
    try {
      Path real = path.toRealPath();
      if (!linksLeaveRoot && !real.startsWith(root.toRealPath())) {
        return null;
      }
      return new Found(path, real, attributes(real));
    } catch (AccessDeniedException denied) {
      throw denied;
    } catch (FileSystemException notThere) {
      return null; // missing, a file where a directory should be, too long, a loop of links
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static BasicFileAttributes attributes(Path real) throws IOException {
    return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Opens what was found as a regular file. */
  static FileChannel open(Path real) throws IOException {
    return FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }
}
