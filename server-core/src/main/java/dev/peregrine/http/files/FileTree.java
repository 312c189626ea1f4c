package dev.peregrine.http.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The files below a directory, by paths relative to it, with a slash between names. What lies
 * elsewhere is found only if links may lead there, and nothing is opened that wasn't seen to be a
 * regular file. Thread-safe.
 *
 * <p>Every method may wait for the disk only if its caller may; if not, it reports that it would
 * have to.
 */
sealed interface FileTree permits LinuxTree, PortableTree {
  /** Looks something up; an absent thing if the path is none that the system can have. */
  FileStatus find(String path, boolean mayWait) throws IOException;

  /** Looks up what lies beside something, and has its name with an ending. */
  FileStatus findBeside(FileStatus found, String ending, boolean mayWait) throws IOException;

  /**
   * Opens a regular file as it was seen.
   *
   * @return null if it is another one by now, or if it would have to wait for the disk
   */
  @Nullable FileChannel open(FileStatus seen, boolean mayWait) throws IOException;

  /**
   * Reads all of a regular file as it was seen: both before and after.
   *
   * @return null as {@link #open} does
   */
  byte @Nullable [] read(FileStatus seen, boolean mayWait) throws IOException;
}
