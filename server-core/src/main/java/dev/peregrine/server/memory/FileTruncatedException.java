package dev.peregrine.server.memory;

import java.io.IOException;

/**
 * A file has fewer bytes than were promised of it: the response can't be completed, so that the
 * connection has to be reset.
 */
public final class FileTruncatedException extends IOException {
  private static final long serialVersionUID = 1L;

  FileTruncatedException(long missingBytes) {
    super("a file was truncated while it was sent: its last " + missingBytes + " bytes are gone");
  }
}
