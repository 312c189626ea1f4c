package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.PreparedFields;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A state of one file, what is said of it in responses, and its bytes if it is small. Immutable.
 */
final class Representation {
  // A file may change once more within the same tick of its time stamp; the coarsest have two.
  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);

  final Path file;
  final long size;
  final ContentType type;

  /** The content coding; empty for none. */
  final String coding;

  final String entityTag;
  final String lastModified;
  final long modifiedSecond;

  /** Fields of a response with content, Content-Type left out. */
  final PreparedFields fields;

  /** Fields of a response that says that nothing has changed. */
  final PreparedFields validators;

  /** All bytes; null if there are too many to be kept. */
  final byte @Nullable [] content;

  private final FileTime modified;
  private final @Nullable Object key;
  private final boolean settled;

  /**
   * What a file is like.
   *
   * @param attributes as they were both before and after the content was read
   * @param cacheControl value of the field; empty for none
   * @param varies whether there are representations in other codings
   */
  Representation(
      Path file,
      BasicFileAttributes attributes,
      ContentType type,
      String coding,
      String cacheControl,
      boolean varies,
      byte @Nullable [] content) {
    this.file = file;
    this.size = attributes.size();
    this.modified = attributes.lastModifiedTime();
    this.key = attributes.fileKey();
    this.type = type;
    this.coding = coding;
    this.content = content;
    long nowMillis = System.currentTimeMillis();
    long nanos = modified.to(TimeUnit.NANOSECONDS);
    this.settled = Math.abs(TimeUnit.MILLISECONDS.toNanos(nowMillis) - nanos) > SETTLED_NANOS;
    this.modifiedSecond = Math.min(modified.to(TimeUnit.SECONDS), nowMillis / 1000);
    this.lastModified = HttpDate.format(modifiedSecond);
    this.entityTag =
        (settled ? "\"" : "W/\"")
            + Long.toHexString(nanos)
            + '-'
            + Long.toHexString(size)
            + (coding.isEmpty() ? "" : "-" + coding)
            + '"';
    List<String> common = new ArrayList<>(List.of("ETag", entityTag));
    common.addAll(List.of("Last-Modified", lastModified));
    if (!cacheControl.isEmpty()) {
      common.addAll(List.of("Cache-Control", cacheControl));
    }
    if (varies) {
      common.addAll(List.of("Vary", "Accept-Encoding"));
    }
    this.validators = PreparedFields.of(common.toArray(String[]::new));
    common.addAll(List.of("Accept-Ranges", "bytes"));
    if (!coding.isEmpty()) {
      common.addAll(List.of("Content-Encoding", coding));
    }
    this.fields = PreparedFields.of(common.toArray(String[]::new));
  }

  /** Whether the file is still the same, as far as its attributes say. */
  boolean isOf(BasicFileAttributes attributes) {
    return attributes.size() == size
        && attributes.lastModifiedTime().equals(modified)
        && Objects.equals(attributes.fileKey(), key);
  }

  /**
   * Whether any change from now on will show in the attributes. If not, the entity tag is weak, and
   * nothing is to be kept.
   */
  boolean isSettled() {
    return settled;
  }
}
