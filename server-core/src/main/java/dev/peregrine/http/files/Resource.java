package dev.peregrine.http.files;

import dev.peregrine.http.Negotiation;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.KnownHeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The target of a path: a file, and the same file in other content codings. Immutable. */
final class Resource {
  // Estimated bytes for objects, field lines, and the path as a key.
  private static final int OVERHEAD_BYTES = 2048;

  private final Representation plain;
  private final List<Representation> coded;
  private final String[] codings;
  private final long checkedNanos;

  /**
   * Creates a resource.
   *
   * @param coded in the order in which they are preferred
   * @param checkedNanos when the check of the files began, by {@link System#nanoTime}
   */
  Resource(Representation plain, List<Representation> coded, long checkedNanos) {
    this.plain = plain;
    this.coded = List.copyOf(coded);
    this.codings = coded.stream().map(each -> each.coding).toArray(String[]::new);
    this.checkedNanos = checkedNanos;
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
    return new Resource(file.coding.isEmpty() ? file : plain, others, checkedNanos);
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
