package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.http.files.tree.FileStatus.Kind;
import dev.peregrine.protocol.HeaderName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages that list what is served of a directory. Reads directories on the thread that calls, which
 * must be one that may wait for the disk. Thread-safe.
 */
final class DirectoryListing {
  /** The number of entries on a page, at most. */
  static final int ENTRIES_MAX = 1000;

  private final Path root;
  private final boolean hidden;
  private final FileStore store;

  DirectoryListing(Path root, boolean hidden, FileStore store) {
    this.root = root;
    this.hidden = hidden;
    this.store = store;
  }

  /** Responds with the page of a directory. Returns false if there is none to be listed. */
  boolean answer(RequestPath asked, Request request, Response response) throws IOException {
    boolean isRoot = asked.names().isEmpty();
    if (!isRoot && asked.names().getFirst().startsWith(".") && !hidden) {
      return false; // .well-known has files for programs that know their names
    }
    if (!store.find(isRoot ? "." : asked.joined(""), true).isDirectory()) {
      return false;
    }
    List<FileStatus> entries = new ArrayList<>();
    boolean complete;
    try {
      complete = read(asked, entries);
    } catch (NoSuchFileException | NotDirectoryException gone) {
      return false;
    }
    ListingOrder order = ListingOrder.of(request.query());
    entries.sort(order::compare);
    byte[] page = ListingPage.of(asked, entries, complete, order).getBytes(StandardCharsets.UTF_8);
    response
        .header(HeaderName.CONTENT_SECURITY_POLICY, ListingPage.POLICY)
        .header(HeaderName.CACHE_CONTROL, "no-cache")
        .contentType(ContentType.TEXT_HTML_UTF_8)
        .send(page);
    return true;
  }

  /** Reads the entries; returns false if there are more. */
  private boolean read(RequestPath asked, List<FileStatus> entries) throws IOException {
    String below = asked.names().isEmpty() ? "" : asked.joined("/");
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(root.resolve(below))) {
      for (Path path : paths) {
        String name = String.valueOf(path.getFileName());
        if (!RequestPath.canName(name) || (name.startsWith(".") && !hidden)) {
          continue;
        }
        FileStatus found = store.find(below + name, true);
        if (found.isRegular() || found.kind() == Kind.DIRECTORY) {
          if (entries.size() == ENTRIES_MAX) {
            return false;
          }
          entries.add(found);
        }
      }
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    return true;
  }
}
