package dev.peregrine.base;

import java.nio.charset.StandardCharsets;

/**
 * Field lines that are encoded once. The superclass of exported types: their users see none of it,
 * and a protocol reads it by {@link FieldBytes} without another object or call in between.
 */
public abstract class EncodedFields {
  final byte[] lines;

  /** Encodes lines, each with its CRLF. */
  protected EncodedFields(String lines) {
    this.lines = lines.getBytes(StandardCharsets.ISO_8859_1);
  }
}
