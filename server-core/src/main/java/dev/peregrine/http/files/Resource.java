package dev.peregrine.http.files;

import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.Negotiation;
import dev.peregrine.parser.KnownHeader;
import java.util.List;

/** What a path stands for: a file, and the same file in other content codings. Immutable. */
final class Resource {
  // Roughly: objects, field lines, and the path as a key.
  private static final int OVERHEAD_BYTES = 2048;

  private final Representation plain;
  private final List<Representation> coded;
  private final String[] codings;
  private final long checkedNanos;

  /**
   * A resource.
   *
   * @param coded in the order in which they are preferred
   * @param checkedNanos when it was begun to look at the files, as of {@link System#nanoTime}
   */
  Resource(Representation plain, List<Representation> coded, long checkedNanos) {
    this.plain = plain;
    this.coded = coded;
    this.codings = coded.stream().map(each -> each.coding).toArray(String[]::new);
    this.checkedNanos = checkedNanos;
  }

  Representation plain() {
    return plain;
  }

  List<Representation> coded() {
    return coded;
  }

  /** Whether it was looked at no longer ago than that. */
  boolean isFresh(long nanos) {
    return System.nanoTime() - checkedNanos < nanos;
  }

  boolean isSettled() {
    return plain.isSettled() && coded.stream().allMatch(Representation::isSettled);
  }

  /** Memory that it takes. */
  long bytes() {
    long bytes = OVERHEAD_BYTES + kept(plain);
    for (Representation each : coded) {
      bytes += OVERHEAD_BYTES + kept(each);
    }
    return bytes;
  }

  /**
   * The representation that the client prefers. One that takes none of them gets the plain one, as
   * if it had no preference (RFC 9110 section 12.4.1).
   */
  Representation choose(HttpRequest request) {
    if (codings.length == 0 || !request.hasHeader(KnownHeader.ACCEPT_ENCODING)) {
      return plain;
    }
    String coding = Negotiation.coding(request, codings);
    for (Representation each : coded) {
      if (each.coding.equals(coding)) {
        return each;
      }
    }
    return plain;
  }

  private static long kept(Representation representation) {
    return representation.content == null ? 0 : representation.content.length;
  }
}
