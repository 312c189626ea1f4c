package dev.peregrine.bench.peer;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.Http1HeadersParser;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.http1.Http1Prologue;

/** Helidon's prologue and headers, validated; it reads heap arrays only. */
final class HelidonParser implements PeerParser {
  private static final int BYTES_MAX = 64 * 1024;

  private final byte[] bytes;
  private final int heads;

  HelidonParser(byte[] bytes, int heads) {
    this.bytes = bytes;
    this.heads = heads;
  }

  @Override
  public long parseAll() {
    DataReader reader = DataReader.create(() -> bytes);
    Http1Prologue prologue = new Http1Prologue(reader, BYTES_MAX, true);
    long fields = 0;
    for (int i = 0; i < heads; i++) {
      HttpPrologue parsed = prologue.readPrologue();
      if (parsed.uriPath().rawPath().isEmpty()) {
        throw new IllegalStateException("Helidon finds no path");
      }
      for (var header : Http1HeadersParser.readHeaders(reader, BYTES_MAX, true)) {
        fields += header.valueCount();
      }
    }
    return fields;
  }
}
