package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.Objects;

/**
 * The parts of a form as they arrive, on the event loop.
 *
 * <pre>{@code
 * Handler upload = (request, response) ->
 *     MultipartFlow.receive(request, response, MultipartLimits.DEFAULTS, new Collector(response));
 * }</pre>
 *
 * <p>The listener is called in this order for each part: {@code onPart}, any number of {@code
 * onData}, {@code onPartEnd}; after the last one {@code onEnd}. Bytes are passed on where they lie,
 * without a copy. The client gets 400 if the content is malformed, and 413 if it exceeds a limit.
 */
public final class MultipartFlow {
  private final PartDispatcher dispatcher;

  private MultipartFlow(PartDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /**
   * Passes the parts of the request's content on, on the event loop. Returns at once; the listener
   * is called after the handler has returned.
   *
   * @param response of the same exchange
   * @throws HttpException 415 if the content isn't {@code multipart/form-data}, 400 if its boundary
   *     is missing or malformed, 413 if its declared length is too large
   * @throws IllegalStateException if the body was read before
   */
  public static MultipartFlow receive(
      Request request, Response response, MultipartLimits limits, MultipartListener listener) {
    Objects.requireNonNull(response, "response");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(listener, "listener");
    MultipartDecoder decoder = MultipartDecoder.of(request, limits);
    PartDispatcher dispatcher = new PartDispatcher(request.body(), response, decoder, listener);
    request.body().receive(dispatcher);
    return new MultipartFlow(dispatcher);
  }

  /**
   * Stops calls of the listener until {@link #resume}; callable from any thread after {@link
   * Response#async}. On the event loop it takes effect before the next call. Use it instead of
   * {@link dev.peregrine.http.RequestBody#pause}, because parts that have arrived would still be
   * passed on.
   */
  public void pause() {
    dispatcher.pause();
  }

  /** Lets calls continue; callable from any thread after {@link Response#async}. */
  public void resume() {
    dispatcher.resume();
  }
}
