package dev.peregrine.http.lines;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.Objects;

/**
 * The lines of a request's content as they arrive, on the event loop: of NDJSON, logs, or any other
 * pieces with an end of their own.
 *
 * <pre>{@code
 * Handler ingest = (request, response) ->
 *     LineFlow.receive(request, response, 64 * 1024, new Importer(response));
 * }</pre>
 *
 * <p>A line is passed on where it lies, without a copy; only a line that arrives in several pieces
 * is put together. The last line needs no end. Nothing is allocated for a line.
 */
public final class LineFlow {
  private final LineDispatcher dispatcher;

  private LineFlow(LineDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /**
   * Passes the lines of the request's content on, on the event loop. Returns at once; the listener
   * is called after the handler has returned.
   *
   * @param response of the same exchange
   * @param lineBytesMax the largest line in bytes, without its end, 1 to 1,073,741,824. The client
   *     gets 413 for a longer one, as soon as more has arrived
   * @throws IllegalStateException if the body was read before
   */
  public static LineFlow receive(
      Request request, Response response, int lineBytesMax, LineListener listener) {
    return receive(request, response, lineBytesMax, LineEnd.LF, listener);
  }

  /** Like {@link #receive(Request, Response, int, LineListener)}, with another end of lines. */
  public static LineFlow receive(
      Request request, Response response, int lineBytesMax, LineEnd end, LineListener listener) {
    Objects.requireNonNull(response, "response");
    Objects.requireNonNull(end, "end");
    Objects.requireNonNull(listener, "listener");
    LineDispatcher dispatcher =
        new LineDispatcher(request.body(), response, new LineSplitter(lineBytesMax, end), listener);
    request.body().receive(dispatcher);
    return new LineFlow(dispatcher);
  }

  /**
   * Stops calls of the listener until {@link #resume}; callable from any thread after {@link
   * Response#async}. On the event loop it takes effect before the next line. Use it instead of
   * {@link dev.peregrine.http.RequestBody#pause}, because lines that have arrived would still be
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
