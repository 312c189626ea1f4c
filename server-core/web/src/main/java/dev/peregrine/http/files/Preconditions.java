package dev.peregrine.http.files;

import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.protocol.KnownHeader;

/** The evaluation of conditions, in the order of RFC 9110 section 13.2.2. */
final class Preconditions {
  enum Verdict {
    PROCEED,
    NOT_MODIFIED,
    FAILED
  }

  // A date is a strong validator only if nothing can have changed since within its second.
  private static final long STRONG_DATE_SECONDS = 1;

  private Preconditions() {}

  static Verdict judge(Request request, Representation current) {
    if (request.hasHeader(KnownHeader.IF_MATCH)) {
      if (!EntityTags.matchStrongly(request.headers(HeaderName.IF_MATCH), current.entityTag)) {
        return Verdict.FAILED;
      }
    } else if (request.hasHeader(KnownHeader.IF_UNMODIFIED_SINCE)) {
      long date = date(request, KnownHeader.IF_UNMODIFIED_SINCE, current);
      if (date != HttpDate.INVALID && current.modifiedSecond > date) {
        return Verdict.FAILED;
      }
    }
    if (request.hasHeader(KnownHeader.IF_NONE_MATCH)) {
      boolean known =
          EntityTags.matchWeakly(request.headers(HeaderName.IF_NONE_MATCH), current.entityTag);
      return known ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
    }
    if (request.hasHeader(KnownHeader.IF_MODIFIED_SINCE)) {
      long date = date(request, KnownHeader.IF_MODIFIED_SINCE, current);
      if (date != HttpDate.INVALID && current.modifiedSecond <= date) {
        return Verdict.NOT_MODIFIED;
      }
    }
    return Verdict.PROCEED;
  }

  /** Returns true if If-Range permits Range (RFC 9110 section 13.1.5). */
  static boolean permitRange(Request request, Representation current) {
    String condition = request.header(KnownHeader.IF_RANGE);
    if (condition == null) {
      return true;
    }
    if (condition.endsWith("\"")) {
      return condition.equals(current.entityTag) && !EntityTags.isWeak(condition);
    }
    long nowSecond = System.currentTimeMillis() / 1000;
    return condition.equals(current.lastModified)
        && nowSecond - current.modifiedSecond >= STRONG_DATE_SECONDS;
  }

  private static long date(Request request, KnownHeader field, Representation current) {
    String text = request.header(field);
    if (text == null) {
      return HttpDate.INVALID;
    }
    return text.equals(current.lastModified) ? current.modifiedSecond : HttpDate.parse(text);
  }
}
