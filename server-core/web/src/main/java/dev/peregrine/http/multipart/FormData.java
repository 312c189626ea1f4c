package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole form: its fields as text, and its files on disk.
 *
 * <pre>{@code
 * try (FormData form = FormData.read(request, MultipartLimits.DEFAULTS, directory)) {
 *   String title = form.fields().required("title");
 *   for (UploadedFile file : form.files("photo")) {
 *     file.moveTo(photos.resolve(UUID.randomUUID() + ".jpg"));
 *   }
 * }
 * }</pre>
 *
 * <p>Files have random names in the given directory, which only this process's user may read where
 * the system has such permissions. {@link #close} deletes those that were not moved, and a form
 * that can't be read completely leaves none. Not thread-safe.
 */
public final class FormData implements AutoCloseable {
  private static final String FILE_PREFIX = "upload-";
  private static final String FILE_SUFFIX = ".part";

  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();
  private final List<UploadedFile> files = new ArrayList<>();
  private Parameters fields = Parameters.NONE;
  private long fieldBytes;

  private FormData() {}

  /**
   * Reads the content of a request on a thread that may block. A part with a file name is a file,
   * any other one a field. A file field without a chosen file is left out.
   *
   * @param directory an existing directory, on a disk that has room for {@link
   *     MultipartLimits#contentBytesMax}
   * @throws IOException if the client disconnects or breaks the framing, or if a file can't be
   *     written
   * @throws HttpException 415 if the content isn't {@code multipart/form-data} or a field isn't in
   *     UTF-8, 400 if it is malformed, 413 if it exceeds a limit
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
   */
  public static FormData read(Request request, MultipartLimits limits, Path directory)
      throws IOException {
    Objects.requireNonNull(directory, "directory");
    FormData form = new FormData();
    MultipartReader parts = MultipartReader.open(request, limits);
    try {
      for (Part part = parts.next(); part != null; part = parts.next()) {
        form.add(part, limits, directory);
      }
      form.fields = Parameters.of(form.names, form.values);
      parts.close();
      return form;
    } catch (Throwable failure) {
      form.discard(parts, failure);
      throw failure;
    }
  }

  private void add(Part part, MultipartLimits limits, Path directory) throws IOException {
    if (part.isFile()) {
      addFile(part, directory);
      return;
    }
    byte[] text = part.textBytes();
    fieldBytes += text.length;
    if (fieldBytes > limits.fieldsBytesMax()) {
      throw MultipartFault.tooLarge("fields", limits.fieldsBytesMax(), "bytes", "fieldsBytesMax");
    }
    names.add(part.name());
    values.add(new String(text, StandardCharsets.UTF_8));
  }

  private void addFile(Part part, Path directory) throws IOException {
    if ("".equals(part.filename()) && !part.fill()) {
      return;
    }
    Path path = Files.createTempFile(directory, FILE_PREFIX, FILE_SUFFIX);
    try {
      long bytes = part.overwrite(path);
      files.add(new UploadedFile(part.head(), path, bytes));
    } catch (Throwable failure) {
      Part.discard(path, failure);
      throw failure;
    }
  }

  private void discard(MultipartReader parts, Throwable failure) {
    names.clear();
    values.clear(); // in case the deletion needs their memory
    try {
      parts.close();
    } catch (Throwable notClosed) {
      Failures.add(failure, notClosed);
    }
    try {
      close();
    } catch (Throwable notDeleted) {
      Failures.add(failure, notDeleted);
    }
  }

  /** Returns the fields in the order they were sent. */
  public Parameters fields() {
    return fields;
  }

  /** Returns the files in the order they were sent. */
  public List<UploadedFile> files() {
    return Collections.unmodifiableList(files);
  }

  /** Returns the files of a field in the order they were sent. */
  public List<UploadedFile> files(String name) {
    return files.stream().filter(file -> file.name().equals(name)).toList();
  }

  /** Returns the first file of a field; null if there is none. */
  public @Nullable UploadedFile file(String name) {
    List<UploadedFile> all = files(name);
    return all.isEmpty() ? null : all.getFirst();
  }

  /**
   * Deletes the files that were not moved.
   *
   * @throws IOException if one can't be deleted, after deleting the others; it suppresses the
   *     failures of those
   */
  @Override
  public void close() throws IOException {
    Throwable failure = null;
    for (int i = 0; i < files.size(); i++) { // by index: an iterator needs memory
      try {
        Files.deleteIfExists(files.get(i).path());
      } catch (Throwable failed) {
        failure = Failures.join(failure, failed);
      }
    }
    switch (failure) {
      case null -> {
        // all are deleted
      }
      case IOException known -> throw known;
      case Error error -> throw error;
      default -> throw (RuntimeException) failure; // deletion throws nothing else
    }
  }
}
