package dev.peregrine.http.files.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The files below a directory, by paths relative to it, with a slash between names. Files elsewhere
 * are found only if links may lead there. Only files that were checked to be regular are opened.
 * Thread-safe.
 *
 * <p>A method waits for the disk only if its caller permits that; otherwise its result is that it
 * would have to wait.
 */
public sealed interface FileTree permits LinuxTree, PortableTree {
  /** Looks a path up. The result is absent if the system can't have that path. */
  FileStatus find(String path, boolean mayWait) throws IOException;

  /** Looks up the file beside another one that has its name with an ending. */
  FileStatus findBeside(FileStatus found, String ending, boolean mayWait) throws IOException;

  /**
   * Opens a regular file as it was seen.
   *
   * @return null if the path leads to another file by now, or if opening would have to wait for the
   *     disk
   */
  @Nullable FileChannel open(FileStatus seen, boolean mayWait) throws IOException;

  /**
   * Reads all of a regular file as it was seen: both before and after.
   *
   * @return null as {@link #open} does
   */
  byte @Nullable [] read(FileStatus seen, boolean mayWait) throws IOException;
}
