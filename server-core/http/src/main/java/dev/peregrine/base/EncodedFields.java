package dev.peregrine.base;

import java.nio.charset.StandardCharsets;

/**
 * Field lines that are encoded once: the superclass of exported types. Users of those types don't
 * see these bytes; protocols read them through {@link FieldBytes}, without a further object.
 */
public abstract class EncodedFields {
  final byte[] lines;

  /** Encodes lines, each with its CRLF. */
  protected EncodedFields(String lines) {
    this.lines = lines.getBytes(StandardCharsets.ISO_8859_1);
  }
}
