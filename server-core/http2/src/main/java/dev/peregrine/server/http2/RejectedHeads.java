package dev.peregrine.server.http2;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.state.KnownError;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.http2.stream.Trunk;
import java.lang.foreign.ValueLayout;

/** Answers or resets requests whose heads are rejected, so that no stream begins. */
final class RejectedHeads {
  private static final int BAD_REQUEST = 400;
  private static final String VISIBLE = "\"<>[\\]^`{|}"; // that no target may have unencoded

  private final LoopParts loop;
  private final ExchangeContext context;
  private final FieldLines fields = new FieldLines();

  RejectedHeads(LoopParts loop) {
    this.loop = loop;
    this.context = loop.context();
  }

  /**
   * Rejects a request, and reports it.
   *
   * @param ends whether the head has ended the stream
   * @param window the bytes of content that the client takes on a new stream
   */
  void reject(
      Trunk trunk, int id, boolean ends, Rejection rejection, RequestHead head, int window) {
    int bytes = 0;
    if (rejection.status() == BAD_REQUEST && !isUsual(rejection, head)) {
      trunk.reset(id, ErrorCode.PROTOCOL_ERROR);
    } else {
      boolean isHead = head.method() == HttpMethod.HEAD;
      bytes = answer(trunk, id, KnownError.of(rejection), isHead, window);
      if (!ends) {
        trunk.reset(id, ErrorCode.NO_ERROR);
      }
    }
    Connection connection = trunk.connection();
    context.log().rejected(connection, rejection, loop.heads().textLength());
    context.reportRejected(connection, KnownError.of(rejection), bytes);
  }

  /**
   * Returns true for a fault that browsers make, too: a target with a visible character that should
   * be encoded. Its client gets a response, as it does over HTTP/1.
   */
  private boolean isUsual(Rejection rejection, RequestHead head) {
    return rejection == Rejection.TARGET_ENCODING_INVALID
        || (rejection == Rejection.TARGET_CHARACTER_INVALID && isVisible(head.rejectedAt()));
  }

  private boolean isVisible(int at) {
    return VISIBLE.indexOf(loop.heads().bytes().get(ValueLayout.JAVA_BYTE, at)) >= 0;
  }

  /**
   * Sends an error, without content if that doesn't fit the windows; to HEAD with the fields only.
   * Returns the number of bytes of the content.
   */
  private int answer(Trunk trunk, int id, KnownError error, boolean isHead, int window) {
    ErrorContent content = context.errors().render(error);
    byte[] bytes = content.bytes();
    boolean fits =
        !isHead
            && bytes.length > 0
            && bytes.length <= Math.min(HttpStream.COPIED_CONTENT_BYTES_MAX, window)
            && trunk.output().take(bytes.length, trunk.nanos());
    boolean isDescribed = fits || (isHead && bytes.length > 0);
    fields.reset();
    fields.add(content.headers());
    loop.encoder()
        .head(
            trunk,
            id,
            error.error().status(),
            isDescribed ? content.type() : null,
            fields,
            isDescribed ? bytes.length : 0,
            fits ? bytes : null);
    return fits ? bytes.length : 0;
  }
}
