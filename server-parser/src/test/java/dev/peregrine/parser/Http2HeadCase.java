package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.Rejection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps of tests that read the fields of a request into a head. */
abstract class Http2HeadCase {
  static final Http2HeadReader READER = reader(ParserLimits.DEFAULT);

  final RequestHead head = new RequestHead();

  static Http2HeadReader reader(ParserLimits limits) {
    return new Http2HeadReader(limits, Set.of(), false);
  }

  final void accept(Http2Fields fields) {
    check(fields, null);
  }

  final void reject(Http2Fields fields, Rejection rejection) {
    check(fields, rejection);
  }

  final void check(Http2Fields fields, @Nullable Rejection rejection) {
    boolean read = READER.read(fields.decoded(), head);

    assertThat(head.rejection()).as("%s", fields).isEqualTo(rejection);
    assertThat(read).isEqualTo(rejection == null);
  }

  final String host(DecodedFields fields) {
    return text(fields, head.hostStart(), head.hostEnd());
  }

  static String text(DecodedFields fields, int start, int end) {
    return Outcome.text(fields.segment(), 0, start, end);
  }
}
