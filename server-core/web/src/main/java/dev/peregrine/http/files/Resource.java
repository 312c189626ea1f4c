package dev.peregrine.http.files;

import dev.peregrine.http.Negotiation;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.KnownHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The target of a path: a file, and the same file in other content codings. Immutable. */
final class Resource {
  // Estimated bytes for objects, field lines, and the path as a key.
  private static final int OVERHEAD_BYTES = 2048;

  private final Representation plain;
  private final List<Representation> coded;
  private final String[] codings;
  private final Compressed compressed;
  private final long checkedNanos;

  /** Whether the file has a form that is compressed here. */
  enum Compressed {
    /** It is to have none, because of its type or size, or because its coding lies beside it. */
    NEVER,
    /** It has none yet. */
    MISSING,
    /** It is the last of the coded representations. */
    PRESENT,
    /** It would be hardly smaller. */
    USELESS
  }

  /**
   * Creates a resource.
   *
   * @param coded in the order in which they are preferred
   * @param checkedNanos when the check of the files began, by {@link System#nanoTime}
   */
  Resource(
      Representation plain, List<Representation> coded, Compressed compressed, long checkedNanos) {
    this.plain = plain;
    this.coded = List.copyOf(coded);
    this.codings = coded.stream().map(each -> each.coding).toArray(String[]::new);
    this.compressed = compressed;
    this.checkedNanos = checkedNanos;
  }

  /** Returns the representation without a coding. */
  Representation plain() {
    return plain;
  }

  /** Returns whether the file has a form that is compressed here. */
  Compressed compressed() {
    return compressed;
  }

  /** Returns the form that is compressed here; null if it is absent. */
  @Nullable Representation compressedForm() {
    return compressed == Compressed.PRESENT ? coded.getLast() : null;
  }

  /** Returns true if it is for that state of the file, and the compressed form is missing. */
  boolean lacksCompressed(Representation file) {
    return compressed == Compressed.MISSING && plain.seen.equals(file.seen);
  }

  /** Returns the same with the compressed form that is missing, or without one to come for null. */
  Resource withCompressed(@Nullable Representation form) {
    if (form == null) {
      return new Resource(plain, coded, Compressed.USELESS, checkedNanos);
    }
    List<Representation> more = new ArrayList<>(coded);
    more.add(form);
    return new Resource(plain, more, Compressed.PRESENT, checkedNanos);
  }

  /** Returns the same with an earlier one's compressed form, if it lacks that of the same state. */
  Resource withCompressedOf(Resource earlier) {
    boolean made =
        earlier.compressed == Compressed.PRESENT || earlier.compressed == Compressed.USELESS;
    return made && lacksCompressed(earlier.plain) ? withCompressed(earlier.compressedForm()) : this;
  }

  /** Returns true if the client would get the compressed form, in that coding, if it existed. */
  boolean lacks(String coding, Request request) {
    return compressed == Compressed.MISSING
        && request.hasHeader(KnownHeader.ACCEPT_ENCODING)
        && coding.equals(Negotiation.coding(request, withLast(coding)));
  }

  private String[] withLast(String coding) {
    String[] all = Arrays.copyOf(codings, codings.length + 1);
    all[codings.length] = coding;
    return all;
  }

  /** Returns the representation in a coding; null if it is absent. */
  @Nullable Representation in(String coding) {
    if (coding.isEmpty()) {
      return plain;
    }
    for (Representation each : coded) {
      if (each.coding.equals(coding)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the same with a representation in place of the one in its coding. */
  Resource with(Representation file) {
    List<Representation> others = new ArrayList<>(coded);
    others.replaceAll(each -> each.coding.equals(file.coding) ? file : each);
    return new Resource(file.coding.isEmpty() ? file : plain, others, compressed, checkedNanos);
  }

  /** Returns true if it was checked no longer ago than the given time. */
  boolean isFresh(long nanos) {
    return System.nanoTime() - checkedNanos < nanos;
  }

  boolean isSettled() {
    return plain.isSettled() && coded.stream().allMatch(Representation::isSettled);
  }

  /** Returns the bytes of memory that it takes. */
  long bytes() {
    long bytes = OVERHEAD_BYTES + plain.contentBytes();
    for (Representation each : coded) {
      bytes += OVERHEAD_BYTES + each.contentBytes();
    }
    return bytes;
  }

  /**
   * Returns the representation that the client prefers. A client that accepts none of them gets the
   * plain one, as if it had no preference (RFC 9110 section 12.4.1).
   */
  Representation choose(Request request) {
    if (codings.length == 0 || !request.hasHeader(KnownHeader.ACCEPT_ENCODING)) {
      return plain;
    }
    String coding = Negotiation.coding(request, codings);
    Representation preferred = coding == null ? null : in(coding);
    return preferred == null ? plain : preferred;
  }
}
