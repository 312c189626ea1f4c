package dev.peregrine.spring;

import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import java.io.EOFException;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;

/** The ends of content as Spring's exception handlers know them. */
final class ContentFailure {
  private ContentFailure() {}

  /** Returns the failure of content that the server rejects before it is read. */
  static ResponseStatusException of(HttpException rejected) {
    return new ResponseStatusException(
        HttpStatusCode.valueOf(rejected.status()), rejected.getMessage(), rejected);
  }

  /**
   * Returns a {@link ResponseStatusException} for content that the server has rejected. If the
   * client has gone it is an {@link EOFException}, which Spring doesn't log as an error.
   */
  static Throwable of(IOException cause) {
    if (cause instanceof ContentRejectedException rejected) {
      return new ResponseStatusException(
          HttpStatus.valueOf(rejected.status()), rejected.getMessage(), rejected);
    }
    EOFException gone = new EOFException(cause.getMessage());
    gone.initCause(cause);
    return gone;
  }
}
