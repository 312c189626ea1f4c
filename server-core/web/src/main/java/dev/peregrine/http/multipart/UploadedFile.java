package dev.peregrine.http.multipart;

import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of a form that was written to disk; see {@link FormData}. The server chose its name.
 *
 * @param head the name of the field, and the client's name of the file
 * @param path the file
 * @param bytes its size
 */
public record UploadedFile(PartHead head, Path path, long bytes) {
  /** Returns the name of the form's field. */
  public String name() {
    return head.name();
  }

  /**
   * Moves the file, so that {@link FormData#close} doesn't delete it.
   *
   * @param target a path that the application has chosen, never one with the client's file name
   * @param options as {@link Files#move} takes them
   * @return the target
   */
  public Path moveTo(Path target, CopyOption... options) throws IOException {
    return Files.move(path, target, options);
  }
}
