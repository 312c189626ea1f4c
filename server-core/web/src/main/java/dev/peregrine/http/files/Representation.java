package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.files.tree.FileState;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpDate;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A state of one file, its fields in responses, and its bytes if they are kept. Immutable. */
final class Representation {
  private static final int DIGEST_BYTES = 8;
  private static final int COPIED_BYTES_MAX = 16 * 1024;

  /** The file; that of the plain form for one that was compressed here. */
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

  /**
   * All bytes; null if they aren't kept. In an array, or in direct memory, which isn't copied once
   * more for each response. Used by {@link ByteBuffer#duplicate} and {@link ByteBuffer#slice} only.
   */
  final @Nullable ByteBuffer content;

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
    this.seen = seen;
    this.size = seen.state().size();
    this.type = type;
    this.coding = coding;
    this.varies = varies;
    this.settled = settled;
    this.content = null;
    this.modifiedSecond =
        Math.min(seen.state().modifiedSecond(), System.currentTimeMillis() / 1000);
    this.lastModified = HttpDate.format(modifiedSecond);
    this.entityTag = tag(seen.state(), settled, coding.isEmpty() ? "" : "-" + coding);
    PreparedFields tags =
        PreparedFields.of(HeaderName.ETAG, entityTag, HeaderName.LAST_MODIFIED, lastModified);
    PreparedFields cached =
        cacheControl.isEmpty() ? tags : tags.and(HeaderName.CACHE_CONTROL, cacheControl);
    this.validators = varies ? cached.and(HeaderName.VARY, HeaderName.ACCEPT_ENCODING) : cached;
    this.fields = fields(validators, coding);
  }

  /** The compressed form of a file. */
  private Representation(Representation file, String coding, byte[] content) {
    this.seen = file.seen;
    this.size = content.length;
    this.type = file.type;
    this.coding = coding;
    this.varies = file.varies;
    this.settled = file.settled;
    this.content = kept(content);
    this.modifiedSecond = file.modifiedSecond;
    this.lastModified = file.lastModified;
    this.entityTag = tag(seen.state(), settled, "-" + coding + "-" + digest(content));
    this.validators = withTag(file.validators, entityTag);
    this.fields = fields(validators, coding);
  }

  private Representation(Representation file, byte[] content) {
    this.seen = file.seen;
    this.size = file.size;
    this.type = file.type;
    this.coding = file.coding;
    this.varies = file.varies;
    this.settled = file.settled;
    this.content = ByteBuffer.wrap(content);
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

  /**
   * Returns a compressed form of this file. Its entity tag has a digest of its bytes, because
   * another version of the same library may compress the same file to others.
   */
  Representation compressed(String name, byte[] bytes) {
    return new Representation(this, name, bytes);
  }

  /** Returns bytes that are sent often; those that would be copied each time, in direct memory. */
  private static ByteBuffer kept(byte[] bytes) {
    return bytes.length <= COPIED_BYTES_MAX
        ? ByteBuffer.wrap(bytes)
        : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static String tag(FileState state, boolean settled, String end) {
    return (settled && state.isIdentified() ? "\"" : "W/\"")
        + Long.toHexString(state.fingerprint())
        + '-'
        + Long.toHexString(state.size())
        + end
        + '"';
  }

  private static PreparedFields withTag(PreparedFields validators, String tag) {
    PreparedFields all = PreparedFields.of(HeaderName.ETAG, tag);
    for (int i = 0; i < validators.count(); i++) {
      String name = validators.name(i);
      if (!name.equals(HeaderName.ETAG)) {
        all = all.and(name, Objects.requireNonNull(validators.value(name)));
      }
    }
    return all;
  }

  private static PreparedFields fields(PreparedFields validators, String coding) {
    PreparedFields fields = validators.and(HeaderName.ACCEPT_RANGES, "bytes");
    return coding.isEmpty() ? fields : fields.and(HeaderName.CONTENT_ENCODING, coding);
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(all, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
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
    return content == null ? 0 : content.capacity();
  }
}
