package dev.peregrine.server.memory;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a file or a buffer that does not have, or does not give, the bytes that a response
 * needs. The client and the socket are not the cause.
 */
public final class ContentFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private ContentFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static ContentFailedException truncated(long missingBytes) {
    return new ContentFailedException(
        "a file was truncated while it was sent: its last " + missingBytes + " bytes are gone",
        null);
  }

  static ContentFailedException closed(ClosedChannelException cause) {
    return new ContentFailedException(
        "the file was closed before it was sent: the server closes it, the handler must not",
        cause);
  }

  static ContentFailedException freed(RuntimeException cause) {
    return new ContentFailedException(
        "the arena of a buffer was closed before the buffer was sent: use Arena.ofAuto, which lives"
            + " as long as its buffers",
        cause);
  }

  static ContentFailedException changed() {
    return new ContentFailedException(
        "a buffer was changed before it was given back, or leased on two event loops at a time:"
            + " more bytes were sent than it had",
        null);
  }
}
