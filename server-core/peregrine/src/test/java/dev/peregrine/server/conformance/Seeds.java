package dev.peregrine.server.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The corpus as seeds for mutations. */
public final class Seeds {
  private static final int BYTES_MAX = 4096;
  private static final String HEAD_END = "\r\n\r\n";

  private Seeds() {}

  /** The cases, without the long ones. */
  public static List<byte[]> all() {
    return Corpus.load().stream()
        .map(CorpusCase::bytes)
        .filter(bytes -> bytes.length <= BYTES_MAX)
        .toList();
  }

  /** Returns the bytes after the head in the cases about chunks. */
  public static List<byte[]> bodies() {
    return Corpus.load().stream()
        .filter(one -> one.name().startsWith("rfc9112-7-chunked/"))
        .map(CorpusCase::latin1)
        .map(text -> text.substring(text.indexOf(HEAD_END) + HEAD_END.length()))
        .filter(text -> text.length() <= BYTES_MAX)
        .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }
}
