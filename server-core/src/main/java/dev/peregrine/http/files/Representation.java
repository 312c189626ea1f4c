package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.files.tree.FileState;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A state of one file, its fields in responses, and its bytes if they are kept. Immutable. */
final class Representation {
  final FileStatus seen;
  final long size;
  final ContentType type;

  /** The content coding; empty for none. */
  final String coding;

  final String entityTag;
  final String lastModified;
  final long modifiedSecond;

  /** Fields of a response with content, Content-Type left out. */
  final PreparedFields fields;

  /** Fields of a 304 response. */
  final PreparedFields validators;

  /** All bytes; null if they aren't kept. */
  final byte @Nullable [] content;

  private final boolean varies;
  private final boolean settled;

  /**
   * The attributes of a file.
   *
   * @param cacheControl value of the field; empty for none
   * @param varies whether there are representations in other codings
   * @param settled whether any change from now on will show in the attributes
   */
  Representation(
      FileStatus seen,
      ContentType type,
      String coding,
      String cacheControl,
      boolean varies,
      boolean settled) {
    FileState state = seen.state();
    this.seen = seen;
    this.size = state.size();
    this.type = type;
    this.coding = coding;
    this.varies = varies;
    this.settled = settled;
    this.content = null;
    this.modifiedSecond = Math.min(state.modifiedSecond(), System.currentTimeMillis() / 1000);
    this.lastModified = HttpDate.format(modifiedSecond);
    this.entityTag =
        (settled && state.isIdentified() ? "\"" : "W/\"")
            + Long.toHexString(state.fingerprint())
            + '-'
            + Long.toHexString(size)
            + (coding.isEmpty() ? "" : "-" + coding)
            + '"';
    List<String> common = new ArrayList<>(List.of(HeaderName.ETAG, entityTag));
    common.addAll(List.of(HeaderName.LAST_MODIFIED, lastModified));
    if (!cacheControl.isEmpty()) {
      common.addAll(List.of(HeaderName.CACHE_CONTROL, cacheControl));
    }
    if (varies) {
      common.addAll(List.of(HeaderName.VARY, HeaderName.ACCEPT_ENCODING));
    }
    this.validators = PreparedFields.of(common.toArray(String[]::new));
    common.addAll(List.of(HeaderName.ACCEPT_RANGES, "bytes"));
    if (!coding.isEmpty()) {
      common.addAll(List.of(HeaderName.CONTENT_ENCODING, coding));
    }
    this.fields = PreparedFields.of(common.toArray(String[]::new));
  }

  private Representation(Representation file, byte[] content) {
    this.seen = file.seen;
    this.size = file.size;
    this.type = file.type;
    this.coding = file.coding;
    this.varies = file.varies;
    this.settled = file.settled;
    this.content = content;
    this.modifiedSecond = file.modifiedSecond;
    this.lastModified = file.lastModified;
    this.entityTag = file.entityTag;
    this.validators = file.validators;
    this.fields = file.fields;
  }

  /** Returns the same with all its bytes. */
  Representation withContent(byte[] bytes) {
    return new Representation(this, bytes);
  }

  /** Returns true if the present state of the file gives the same fields. */
  boolean isStill(FileStatus now, boolean variesNow) {
    return settled && varies == variesNow && seen.equals(now);
  }

  /**
   * Returns true if any change from now on will show in the attributes. If not, the entity tag is
   * weak, and the representation must not be cached.
   */
  boolean isSettled() {
    return settled;
  }

  /** Returns the bytes of memory that the content takes. */
  long contentBytes() {
    return content == null ? 0 : content.length;
  }
}
