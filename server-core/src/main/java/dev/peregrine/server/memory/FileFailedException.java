package dev.peregrine.server.memory;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a file that does not have, or does not give, the bytes that a response needs. The
 * client and the socket are not the cause.
 */
public final class FileFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private FileFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static FileFailedException truncated(long missingBytes) {
    return new FileFailedException(
        "a file was truncated while it was sent: its last " + missingBytes + " bytes are gone",
        null);
  }

  static FileFailedException closed(ClosedChannelException cause) {
    return new FileFailedException(
        "the file was closed before it was sent: the server closes it, the handler must not",
        cause);
  }
}
