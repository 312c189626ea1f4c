package dev.peregrine.http.coding;

import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A Content-Length that is held back as long as compression may change it. */
final class HeldLength {
  private @Nullable String value;

  /** Returns true if the field is a length that can be held back. */
  static boolean isLength(String name, String value) {
    return name.equalsIgnoreCase(HeaderName.CONTENT_LENGTH)
        && DeclaredLength.parse(value) != DeclaredLength.UNKNOWN;
  }

  void hold(String length) {
    value = length;
  }

  boolean isHeld() {
    return value != null;
  }

  /** Returns true if the field of that name is held back. */
  boolean isHeld(String name) {
    return value != null && name.equalsIgnoreCase(HeaderName.CONTENT_LENGTH);
  }

  /** Returns the length that is held back. */
  String value() {
    return Objects.requireNonNull(value);
  }

  /** Returns the length in bytes; {@link DeclaredLength#UNKNOWN} if none is held back. */
  long bytes() {
    return value == null ? DeclaredLength.UNKNOWN : DeclaredLength.parse(value);
  }

  /** Forgets the length, because it is that of other bytes. */
  void drop() {
    value = null;
  }

  /** Declares the length to the response after all, if one is held back. */
  void passTo(Response target) {
    if (value != null) {
      target.header(HeaderName.CONTENT_LENGTH, value);
      value = null;
    }
  }
}
