package dev.peregrine.testing;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A handler that sends the same bytes from a file, at {@code /file}, and from an array. */
public final class FileAndContent implements Handler {
  private final Path file;
  private final byte[] content;

  /** Writes the bytes to a file of a folder. */
  public FileAndContent(Path folder, byte[] content) throws IOException {
    this.file = Files.write(folder.resolve("file"), content);
    this.content = content;
  }

  @Override
  public void handle(Request request, Response response) {
    if (request.pathIs("/file")) {
      response.send(file);
    } else {
      response.send(content);
    }
  }
}
