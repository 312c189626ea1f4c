package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.files.Resource.Compressed;
import dev.peregrine.http.files.tree.FileState;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.http.files.tree.FileStatus.Kind;
import dev.peregrine.http.files.tree.FileTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates {@link Resource}s from files. */
final class FileLoader {
  /** A content coding of files beside the plain ones, and the ending of their names. */
  private record Precompressed(String coding, String ending) {}

  private static final List<Precompressed> PRECOMPRESSED =
      List.of(
          new Precompressed("br", ".br"),
          new Precompressed("zstd", ".zst"),
          new Precompressed("gzip", ".gz"));

  /**
   * The largest file that is read by a caller that must not wait, because copying takes time too.
   */
  private static final int UNAWAITED_BYTES_MAX = 64 * 1024;

  private final FileTree tree;
  private final FileTypes types;
  private final String cacheControl;
  private final List<Precompressed> siblings;
  private final @Nullable FileCompressor compressor;
  private final int tickSeconds;

  /**
   * Creates a loader.
   *
   * @param cacheControl value of the field; empty for none
   * @param precompressed whether to look for files in other codings
   * @param compressor compresses files; null for none
   * @param tickSeconds see {@link FileState#isSettled}
   */
  FileLoader(
      FileTree tree,
      FileTypes types,
      String cacheControl,
      boolean precompressed,
      @Nullable FileCompressor compressor,
      int tickSeconds) {
    this.compressor = compressor;
    this.tree = tree;
    this.types = types;
    this.cacheControl = cacheControl;
    this.siblings = precompressed ? PRECOMPRESSED : List.of();
    this.tickSeconds = tickSeconds;
  }

  /**
   * Loads the resource of a regular file. Keeps contents that were known before, and reads no
   * others.
   *
   * @param known the earlier state of the file
   * @param checkedNanos when the check of the file began
   * @return null if it would have to wait for the disk
   */
  @Nullable Resource load(
      FileStatus file, @Nullable Resource known, long checkedNanos, boolean mayWait)
      throws IOException {
    List<FileStatus> found = new ArrayList<>(siblings.size());
    List<String> codings = new ArrayList<>(siblings.size());
    for (Precompressed each : siblings) {
      FileStatus sibling = tree.findBeside(file, each.ending, mayWait);
      if (sibling.kind() == Kind.WAITS) {
        return null;
      }
      if (sibling.isRegular()) {
        found.add(sibling);
        codings.add(each.coding);
      }
    }
    ContentType type = types.of(file.name());
    boolean compresses =
        compressor != null
            && !codings.contains(compressor.coding())
            && compressor.takes(type, file.state().size());
    boolean varies = compresses || !found.isEmpty();
    Representation plain = represent(file, type, "", varies, known);
    List<Representation> coded = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      coded.add(represent(found.get(i), type, codings.get(i), true, known));
    }
    if (!compresses) {
      return new Resource(plain, coded, Compressed.NEVER, checkedNanos);
    }
    Resource same = known != null && known.plain().isStill(file, varies) ? known : null;
    Representation form = same == null ? null : same.compressedForm();
    if (form != null) {
      coded.add(form);
    }
    Compressed state = same != null ? same.compressed() : Compressed.MISSING;
    return new Resource(
        plain, coded, state == Compressed.NEVER ? Compressed.MISSING : state, checkedNanos);
  }

  private Representation represent(
      FileStatus seen, ContentType type, String coding, boolean varies, @Nullable Resource known) {
    Representation before = known == null ? null : known.in(coding);
    if (before != null && before.isStill(seen, varies)) {
      return before;
    }
    boolean settled = seen.state().isSettled(System.currentTimeMillis(), tickSeconds);
    return new Representation(seen, type, coding, cacheControl, varies, settled);
  }

  /**
   * Returns the same with all bytes of the file.
   *
   * @return null if the file has changed, or it would have to wait for the disk
   */
  @Nullable Representation withContent(Representation file, boolean mayWait) throws IOException {
    if (!mayWait && file.size > UNAWAITED_BYTES_MAX) {
      return null;
    }
    byte[] content = tree.read(file.seen, mayWait);
    return content == null ? null : file.withContent(content);
  }
}
