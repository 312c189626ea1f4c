package dev.peregrine.http.files.tree;

import dev.peregrine.base.Interrupts;
import dev.peregrine.http.files.tree.FileStatus.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tree of files by {@code java.nio.file}. Every name on the way is checked without following
 * links, and a path with a link is resolved as a whole before it is judged. An open file is the one
 * that was checked if its path leads to the same file before and after. Every call may wait.
 */
public final class PortableTree implements FileTree {
  private static final String UNIX_ATTRIBUTES =
      "unix:size,lastModifiedTime,ctime,dev,ino,isRegularFile,isDirectory";

  private final Path root;
  private final boolean linksLeaveRoot;
  private final boolean unix;
  private final Set<OpenOption> howToOpen;
  private final long freshNanos;
  private volatile @Nullable Root current;

  /**
   * The root's path without links.
   *
   * @param checkedNanos when that was checked, by {@link System#nanoTime}
   */
  private record Root(Path real, long checkedNanos) {}

  /** Attributes of a path without links; a link at its end is something other. */
  private record Looked(Kind kind, FileState state) {}

  /**
   * Creates the files below a directory.
   *
   * @param freshNanos for how long the root's path is taken to lead where it did
   */
  public PortableTree(Path root, boolean linksLeaveRoot, long freshNanos) {
    this.root = root;
    this.linksLeaveRoot = linksLeaveRoot;
    this.unix = root.getFileSystem().supportedFileAttributeViews().contains("unix");
    // Archives have no links, and don't know the option.
    this.howToOpen =
        root.getFileSystem().equals(FileSystems.getDefault())
            ? Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
            : Set.of(StandardOpenOption.READ);
    this.freshNanos = freshNanos;
  }

  @Override
  public FileStatus find(String path, boolean mayWait) throws IOException {
    if (!mayWait) {
      return FileStatus.WAITS;
    }
    try {
      Path top = root();
      Path relative = root.getFileSystem().getPath(path);
      return find(top, relative, path);
    } catch (AccessDeniedException denied) {
      return FileStatus.DENIED;
    } catch (FileSystemException | InvalidPathException notThere) {
      return FileStatus.ABSENT; // missing, a file in place of a directory, too long, or a loop
    }
  }

  private FileStatus find(Path top, Path relative, String named) throws IOException {
    Path at = top;
    int last = relative.getNameCount() - 1;
    for (int i = 0; i < last; i++) {
      at = at.resolve(relative.getName(i));
      BasicFileAttributes attributes =
          Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isDirectory()) {
        return attributes.isRegularFile() ? FileStatus.ABSENT : findByLinks(top, named);
      }
    }
    boolean plain = !relative.isAbsolute() && relative.equals(relative.normalize());
    return plain
        ? findLast(top, at.resolve(relative.getName(last)), named)
        : findByLinks(top, named);
  }

  private FileStatus findLast(Path top, Path file, String named) throws IOException {
    Looked looked = look(file);
    return looked.kind == Kind.OTHER
        ? findByLinks(top, named)
        : new FileStatus(looked.kind, named, named, looked.state);
  }

  private FileStatus findByLinks(Path top, String named) throws IOException {
    Path real = top.resolve(named).toRealPath();
    boolean below = real.startsWith(top);
    if (!below && !linksLeaveRoot) {
      return FileStatus.ABSENT;
    }
    Looked looked = look(real);
    String place = (below ? top.relativize(real) : real).toString();
    return new FileStatus(looked.kind, named, place, looked.state);
  }

  @Override
  public FileStatus findBeside(FileStatus found, String ending, boolean mayWait)
      throws IOException {
    String named = found.named() + ending;
    if (!mayWait || !found.place().equals(found.named())) {
      return find(named, mayWait);
    }
    try {
      Path top = latestRoot();
      Path file = top.resolve(named);
      boolean exists =
          file.getFileSystem()
                  .provider()
                  .readAttributesIfExists(
                      file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              != null;
      return exists ? findLast(top, file, named) : FileStatus.ABSENT;
    } catch (AccessDeniedException denied) {
      return FileStatus.DENIED;
    } catch (FileSystemException | InvalidPathException notThere) {
      return FileStatus.ABSENT;
    }
  }

  @Override
  public @Nullable FileChannel open(FileStatus seen, boolean mayWait) throws IOException {
    if (!mayWait) {
      return null;
    }
    try {
      Path file = (freshNanos == 0 ? latestRoot() : root()).resolve(seen.place());
      // Checked once more, because opening a pipe could wait for ever.
      return isStill(file, seen) ? openStill(file, seen) : null;
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  private @Nullable FileChannel openStill(Path file, FileStatus seen) throws IOException {
    FileChannel channel = FileChannel.open(file, howToOpen);
    boolean same = false;
    boolean held = Interrupts.hold();
    try {
      same = isStill(file, seen) && channel.size() == seen.state().size();
      return same ? channel : null;
    } finally {
      Interrupts.restore(held);
      if (!same) {
        channel.close();
      }
    }
  }

  @Override
  public byte @Nullable [] read(FileStatus seen, boolean mayWait) throws IOException {
    boolean held = Interrupts.hold();
    try (FileChannel channel = open(seen, mayWait)) {
      if (channel == null) {
        return null;
      }
      ByteBuffer content = ByteBuffer.allocate((int) seen.state().size());
      while (content.hasRemaining()) {
        if (channel.read(content) < 0) {
          return null;
        }
      }
      return isStill(latestRoot().resolve(seen.place()), seen) ? content.array() : null;
    } finally {
      Interrupts.restore(held);
    }
  }

  private boolean isStill(Path file, FileStatus seen) throws IOException {
    try {
      Looked looked = look(file);
      return looked.kind == Kind.REGULAR && looked.state.equals(seen.state());
    } catch (AccessDeniedException denied) {
      throw denied;
    } catch (FileSystemException notThere) {
      return false;
    }
  }

  private Looked look(Path file) throws IOException {
    if (!unix) {
      return look(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }
    Map<String, Object> all =
        Files.readAttributes(file, UNIX_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    return looked(
        attribute(all, "isRegularFile", Boolean.class),
        attribute(all, "isDirectory", Boolean.class),
        attribute(all, "size", Long.class),
        attribute(all, "lastModifiedTime", FileTime.class),
        attribute(all, "ctime", FileTime.class),
        attribute(all, "dev", Long.class),
        attribute(all, "ino", Long.class));
  }

  private static <T> T attribute(Map<String, Object> all, String name, Class<T> type) {
    return Objects.requireNonNull(type.cast(all.get(name)), name);
  }

  private static Looked look(BasicFileAttributes attributes) {
    return looked(
        attributes.isRegularFile(),
        attributes.isDirectory(),
        attributes.size(),
        attributes.lastModifiedTime(),
        attributes.creationTime(),
        FileState.UNKNOWN,
        FileState.UNKNOWN);
  }

  private static Looked looked(
      boolean regular,
      boolean directory,
      long size,
      FileTime modifiedTime,
      FileTime changedTime,
      long device,
      long inode) {
    Instant modified = modifiedTime.toInstant();
    Instant changed = changedTime.toInstant();
    return new Looked(
        regular ? Kind.REGULAR : directory ? Kind.DIRECTORY : Kind.OTHER,
        new FileState(
            size,
            modified.getEpochSecond(),
            modified.getNano(),
            changed.getEpochSecond(),
            changed.getNano(),
            device,
            inode));
  }

  /**
   * Returns the root as it was found last: by this request, unless another one has found a new one.
   */
  private Path latestRoot() throws IOException {
    Root known = current;
    return known == null ? root() : known.real;
  }

  private Path root() throws IOException {
    Root known = current;
    long nowNanos = System.nanoTime();
    if (known != null && nowNanos - known.checkedNanos < freshNanos) {
      return known.real;
    }
    Path real = root.toRealPath();
    current = new Root(real, nowNanos);
    return real;
  }
}
