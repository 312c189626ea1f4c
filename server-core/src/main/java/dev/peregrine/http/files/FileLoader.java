package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.files.FileTree.Found;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes {@link Resource}s of files. Every method may wait for the disk. */
final class FileLoader {
  /** A coding that files are kept in beside the plain ones, and the ending of their names. */
  private record Precompressed(String coding, String ending) {}

  private static final List<Precompressed> PRECOMPRESSED =
      List.of(
          new Precompressed("br", ".br"),
          new Precompressed("zstd", ".zst"),
          new Precompressed("gzip", ".gz"));

  private final FileTree tree;
  private final FileTypes types;
  private final String cacheControl;
  private final boolean precompressed;
  private final int contentBytesMax;

  /**
   * A loader.
   *
   * @param cacheControl value of the field; empty for none
   * @param precompressed whether to look for files in other codings
   * @param contentBytesMax size of a file up to which its content is read
   */
  FileLoader(
      FileTree tree,
      FileTypes types,
      String cacheControl,
      boolean precompressed,
      int contentBytesMax) {
    this.tree = tree;
    this.types = types;
    this.cacheControl = cacheControl;
    this.precompressed = precompressed;
    this.contentBytesMax = contentBytesMax;
  }

  /**
   * The resource of a regular file.
   *
   * @param known what the file was like before; what hasn't changed is not read again
   */
  Resource load(Found file, @Nullable Resource known) throws IOException {
    long checkedNanos = System.nanoTime();
    List<Found> siblings = new ArrayList<>();
    List<String> codings = new ArrayList<>();
    for (Precompressed each : precompressed ? PRECOMPRESSED : List.<Precompressed>of()) {
      Found sibling = findBeside(file, each.ending);
      if (sibling != null) {
        siblings.add(sibling);
        codings.add(each.coding);
      }
    }
    boolean varies = !siblings.isEmpty();
    ContentType type = types.of(String.valueOf(file.named().getFileName()));
    Representation plain = load(file, type, "", varies, known);
    List<Representation> coded = new ArrayList<>(siblings.size());
    for (int i = 0; i < siblings.size(); i++) {
      coded.add(load(siblings.get(i), type, codings.get(i), true, known));
    }
    return new Resource(plain, List.copyOf(coded), checkedNanos);
  }

  private @Nullable Found findBeside(Found file, String ending) {
    try {
      Found sibling = tree.findBeside(file, ending);
      return sibling != null && sibling.attributes().isRegularFile() ? sibling : null;
    } catch (AccessDeniedException denied) {
      return null;
    }
  }

  private Representation load(
      Found file, ContentType type, String coding, boolean varies, @Nullable Resource known)
      throws IOException {
    BasicFileAttributes attributes = file.attributes();
    byte[] content = knownContent(file, coding, known);
    if (content == null && attributes.size() <= contentBytesMax) {
      content = read(file);
      BasicFileAttributes after = FileTree.attributes(file.real());
      boolean same =
          after.size() == content.length
              && after.lastModifiedTime().equals(attributes.lastModifiedTime());
      content = same ? content : null; // it is being written: whoever sends it opens it again
      attributes = after;
    }
    return new Representation(file.real(), attributes, type, coding, cacheControl, varies, content);
  }

  private static byte @Nullable [] knownContent(
      Found file, String coding, @Nullable Resource known) {
    if (known == null) {
      return null;
    }
    if (coding.isEmpty()) {
      return contentOf(known.plain(), file);
    }
    for (Representation each : known.coded()) {
      if (each.coding.equals(coding)) {
        return contentOf(each, file);
      }
    }
    return null;
  }

  private static byte @Nullable [] contentOf(Representation known, Found file) {
    boolean same =
        known.isSettled() && known.file.equals(file.real()) && known.isOf(file.attributes());
    return same ? known.content : null;
  }

  private static byte[] read(Found file) throws IOException {
    try (FileChannel channel = FileTree.open(file.real())) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.attributes().size());
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until it is full or the file has no more.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
