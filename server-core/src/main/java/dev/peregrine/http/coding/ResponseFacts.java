package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a handler has said of its response so far, as far as it matters for compressing it. */
final class ResponseFacts {
  int status = HttpStatus.OK.code();
  private @Nullable String type;
  private @Nullable String entityTag;
  private boolean excluded; // by Content-Encoding, Content-Range or no-transform
  private boolean varies;

  void type(@Nullable ContentType contentType) {
    type = contentType == null ? null : contentType.toString();
  }

  void field(String name, String value) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "content-type" -> type = value;
      case "etag" -> entityTag = value;
      case "content-encoding" -> excluded |= !value.equalsIgnoreCase("identity");
      case "content-range" -> excluded = true;
      case "cache-control" -> excluded |= value.toLowerCase(Locale.ROOT).contains("no-transform");
      case "vary" -> {
        String names = value.toLowerCase(Locale.ROOT);
        varies |= names.contains("accept-encoding") || names.equals("*");
      }
      default -> {
        // Doesn't matter.
      }
    }
  }

  void fields(PreparedFields prepared) {
    for (String name :
        new String[] {"ETag", "Content-Encoding", "Content-Range", "Cache-Control", "Vary"}) {
      String value = prepared.value(name);
      if (value != null) {
        field(name, value);
      }
    }
  }

  boolean hasType() {
    return type != null;
  }

  /** Whether Vary names what the choice of a coding depends on. */
  boolean varies() {
    return varies;
  }

  /** The entity tag for other bytes than the handler's; null if there is none. */
  @Nullable String weakEntityTag() {
    return entityTag == null || entityTag.startsWith("W/") ? entityTag : "W/" + entityTag;
  }

  /** Whether the response may be compressed, as far as its head says. */
  boolean isCompressible(Predicate<String> types) {
    return hasWholeContent() && areCompressible(type, types);
  }

  /** Returns true if content of that type, which isn't sent, might be compressed. */
  boolean isCompressible(@Nullable ContentType unsent, Predicate<String> types) {
    return areCompressible(unsent == null ? null : unsent.toString(), types);
  }

  /** Returns true unless the content that a 304 replaces is known not to be compressible. */
  boolean mayReplace(Predicate<String> types) {
    return type == null || areCompressible(type, types);
  }

  private boolean areCompressible(@Nullable String type, Predicate<String> types) {
    if (type == null || excluded) {
      return false;
    }
    int parameters = type.indexOf(';');
    String mediaType = parameters < 0 ? type : type.substring(0, parameters);
    return types.test(mediaType.strip().toLowerCase(Locale.ROOT));
  }

  boolean isNotModified() {
    return status == HttpStatus.NOT_MODIFIED.code() && !excluded;
  }

  private boolean hasWholeContent() {
    return status != HttpStatus.NO_CONTENT.code()
        && status != HttpStatus.RESET_CONTENT.code()
        && status != HttpStatus.PARTIAL_CONTENT.code()
        && status != HttpStatus.NOT_MODIFIED.code();
  }
}
