package dev.peregrine.http.multipart;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name and the header fields of a part. Immutable, and usable after the request has ended.
 *
 * <p>Texts come from the client: a name or file name may have any character, even line ends.
 */
public final class PartHead {
  private final String name;
  private final @Nullable String filename;
  private final List<String> headerNames;
  private final List<String> headerValues;

  PartHead(
      String name, @Nullable String filename, List<String> headerNames, List<String> headerValues) {
    this.name = name;
    this.filename = filename;
    this.headerNames = List.copyOf(headerNames);
    this.headerValues = List.copyOf(headerValues);
  }

  /** Returns the name of the form's field. */
  public String name() {
    return name;
  }

  /**
   * Returns the name of the file on the client's machine; null if the part isn't a file. It is
   * empty if the user has chosen no file. Never use it as a path: it may be {@code
   * ../../etc/passwd} or that of another user's file.
   *
   * <p>{@code filename*} beside it is ignored, because RFC 7578 section 4.2 forbids that. A part
   * with {@code filename*} alone is rejected with 400: it would be a file for some readers and a
   * field for others.
   */
  public @Nullable String filename() {
    return filename;
  }

  /** Returns true if the part has a file name. */
  public boolean isFile() {
    return filename != null;
  }

  /** Returns the media type that the client gives, unchecked; null if it is absent. */
  public @Nullable String contentType() {
    return header("Content-Type");
  }

  /**
   * Returns the value of the first header field of that name; null if it is absent.
   *
   * @param headerName compared case-insensitively
   */
  public @Nullable String header(String headerName) {
    Objects.requireNonNull(headerName, "headerName");
    for (int i = 0; i < headerNames.size(); i++) {
      if (headerNames.get(i).equalsIgnoreCase(headerName)) {
        return headerValues.get(i);
      }
    }
    return null;
  }

  /** Returns the names of the header fields as sent, in their order. */
  public List<String> headerNames() {
    return headerNames;
  }

  /** Returns the name, in which control characters are replaced. */
  @Override
  public String toString() {
    String text = filename == null ? name : name + " (" + filename + ")";
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
