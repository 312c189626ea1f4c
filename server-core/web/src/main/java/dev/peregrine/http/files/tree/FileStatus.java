package dev.peregrine.http.files.tree;

/**
 * The kind and state of the file or directory that a path leads to.
 *
 * @param named the path of the query, relative to the root
 * @param place the path by which the tree finds it again: without links, or the same as {@code
 *     named}
 */
public record FileStatus(Kind kind, String named, String place, FileState state) {
  /** The kinds of files; the last two mean that the kind isn't known. */
  public enum Kind {
    REGULAR,
    DIRECTORY,
    OTHER,
    ABSENT,
    DENIED,
    WAITS
  }

  private static final FileState NONE = new FileState(0, 0, 0, 0, 0, 0, 0);

  public static final FileStatus ABSENT = new FileStatus(Kind.ABSENT, "", "", NONE);

  /** Access is denied. */
  public static final FileStatus DENIED = new FileStatus(Kind.DENIED, "", "", NONE);

  /** The status can't be read without waiting for the disk. */
  public static final FileStatus WAITS = new FileStatus(Kind.WAITS, "", "", NONE);

  public boolean isRegular() {
    return kind == Kind.REGULAR;
  }

  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  /** Returns the last name of the path. */
  public String name() {
    return named.substring(named.lastIndexOf('/') + 1);
  }
}
