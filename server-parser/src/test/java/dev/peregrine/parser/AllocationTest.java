package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.body.ChunkedDecoder;
import dev.peregrine.parser.corpus.InvalidHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import dev.peregrine.parser.hpack.DecodedFields;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parsing allocates nothing for any input. Vector code must be compiled for that. */
class AllocationTest {
  @ParameterizedTest
  @EnumSource(
      value = ScannerKind.class,
      names = {"SWAR", "SCALAR"})
  void parsesAnyHeadWithoutAllocation(ScannerKind kind) {
    var parser = new RequestParser(ParserLimits.DEFAULT, kind);
    var head = new RequestHead();
    MemorySegment[] heads = heads().toArray(MemorySegment[]::new);
    assertThat(
            Allocations.least(
                () -> {
                  for (MemorySegment bytes : heads) {
                    head.reset();
                    parser.parse(bytes, 0, (int) bytes.byteSize() / 2, head);
                    parser.parse(bytes, 0, (int) bytes.byteSize(), head);
                  }
                }))
        .isZero();
  }

  @Test
  void decodesAnyBodyWithoutAllocation() {
    var decoder = new ChunkedDecoder(ParserLimits.DEFAULT);
    MemorySegment bytes =
        Segments.exact(Segments.latin1("5;a=\"b\"\r\nhello\r\n0\r\nA: b\r\nHost: c\r\n\r\n"));
    int to = (int) bytes.byteSize();
    assertThat(
            Allocations.least(
                () -> {
                  decoder.reset();
                  int from = 0;
                  while (decoder.next(bytes, from, to) == ChunkedDecoder.DATA) {
                    from = decoder.position();
                  }
                }))
        .isZero();
  }

  @Test
  void readsAnyHeadOfHttp2WithoutAllocation() {
    var reader = new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), false);
    var head = new RequestHead();
    DecodedFields[] sections =
        Stream.of(
                request("via: a", "x-own: b", "content-length: 1", "te: trailers"),
                request("cookie: a=b", "host: a", "cookie: c=d", "expect: 100-continue"),
                request(":path: /"),
                request("connection: close"))
            .map(Http2Fields::decoded)
            .toArray(DecodedFields[]::new);
    assertThat(
            Allocations.least(
                () -> {
                  for (DecodedFields fields : sections) {
                    reader.read(fields, head);
                  }
                }))
        .isZero();
  }

  private static Http2Fields request(String... fields) {
    return Http2Fields.get("/a%20b?c").add(":authority", "a").addAll(Http2Fields.of(fields));
  }

  private static List<MemorySegment> heads() {
    var heads = new ArrayList<MemorySegment>();
    ValidHeads.all().values().forEach(head -> heads.add(Segments.exact(Segments.latin1(head))));
    InvalidHeads.all().forEach(bad -> heads.add(Segments.exact(Segments.latin1(bad.head()))));
    return heads;
  }
}
