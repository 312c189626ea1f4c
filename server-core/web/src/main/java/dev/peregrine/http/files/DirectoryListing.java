package dev.peregrine.http.files;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.http.ContentType;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Pages that list what is served of a directory. Reads directories on the thread that calls, which
 * must be one that may wait for the disk. Thread-safe.
 */
final class DirectoryListing {
  /** The number of entries on a page, at most. */
  static final int ENTRIES_MAX = 1000;

  private static final Comparator<FileStatus> ORDER =
      Comparator.comparing(FileStatus::isRegular).thenComparing(FileStatus::name);

  private final Path root;
  private final boolean hidden;
  private final FileStore store;

  DirectoryListing(Path root, boolean hidden, FileStore store) {
    this.root = root;
    this.hidden = hidden;
    this.store = store;
  }

  /** Responds with the page of a directory. Returns false if there is no directory. */
  boolean answer(RequestPath asked, Response response) throws IOException {
    boolean isRoot = asked.names().isEmpty();
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
    entries.sort(ORDER);
    byte[] page = page(asked, entries, complete).getBytes(StandardCharsets.UTF_8);
    response
        .header(HeaderName.CONTENT_SECURITY_POLICY, "default-src 'none'")
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

  private static String page(RequestPath asked, List<FileStatus> entries, boolean complete) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n");
    page.append("<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    String title = asked.names().isEmpty() ? "/" : "/" + asked.joined("/");
    appendText(title, page);
    appendText(title, page.append("</title>\n<h1>"));
    page.append("</h1>\n<table>\n<tr><th>Name</th><th>Bytes</th><th>Changed</th></tr>\n");
    if (!asked.names().isEmpty()) {
      page.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
    }
    for (FileStatus entry : entries) {
      append(entry, page);
    }
    page.append("</table>\n");
    if (!complete) {
      page.append("<p>There are more: this page has ")
          .append(ENTRIES_MAX)
          .append(" of them.</p>\n");
    }
    return page.append("</html>\n").toString();
  }

  private static void append(FileStatus entry, StringBuilder page) {
    String slash = entry.isRegular() ? "" : "/";
    StringBuilder link = new StringBuilder("./");
    PercentCoding.encodeSegment(entry.name(), link);
    page.append("<tr><td><a href=\"");
    appendText(link.append(slash).toString(), page);
    page.append("\">");
    appendText(entry.name() + slash, page);
    page.append("</a></td><td>");
    if (entry.isRegular()) {
      page.append(entry.state().size());
    }
    Instant changed = Instant.ofEpochSecond(entry.state().modifiedSecond());
    page.append("</td><td>").append(changed).append("</td></tr>\n");
  }

  private static void appendText(String text, StringBuilder page) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> page.append("&amp;");
        case '<' -> page.append("&lt;");
        case '>' -> page.append("&gt;");
        case '"' -> page.append("&quot;");
        case '\'' -> page.append("&#39;");
        default -> page.append(c);
      }
    }
  }
}
