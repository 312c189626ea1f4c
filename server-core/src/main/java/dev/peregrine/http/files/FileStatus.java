package dev.peregrine.http.files;

/**
 * The kind and state of the file or directory that a path leads to.
 *
 * @param named the path of the query, relative to the root
 * @param place how the tree finds it again: a path without links, or the same one
 */
record FileStatus(Kind kind, String named, String place, FileState state) {
  /** The kinds of things; the last two stand for one that isn't known. */
  enum Kind {
    REGULAR,
    DIRECTORY,
    OTHER,
    ABSENT,
    DENIED,
    WAITS
  }

  private static final FileState NONE = new FileState(0, 0, 0, 0, 0, 0, 0);

  static final FileStatus ABSENT = new FileStatus(Kind.ABSENT, "", "", NONE);

  /** Access is denied. */
  static final FileStatus DENIED = new FileStatus(Kind.DENIED, "", "", NONE);

  /** It can't be known without waiting. */
  static final FileStatus WAITS = new FileStatus(Kind.WAITS, "", "", NONE);

  boolean isRegular() {
    return kind == Kind.REGULAR;
  }

  boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  /** Returns the last name of the path. */
  String name() {
    return named.substring(named.lastIndexOf('/') + 1);
  }
}
