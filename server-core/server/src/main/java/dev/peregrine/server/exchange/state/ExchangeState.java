package dev.peregrine.server.exchange.state;

import dev.peregrine.http.Request;
import dev.peregrine.server.connection.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data of one exchange, which its parts share: each part is given this and what it acts on, and
 * no part knows the {@code Exchange}.
 */
public final class ExchangeState {
  public final ExchangeContext context;
  public final HttpStream stream;
  public final ReceivedHead head = new ReceivedHead();
  public final ResponseHead responseHead;
  public final ExchangeProgress progress = new ExchangeProgress();
  public final Answer answer = new Answer();
  public final ExchangeUse use;
  public final AfterHandler afterHandler = new AfterHandler();
  public final BeginLimit limit;
  private @Nullable Connection connection;
  private @Nullable Request request;
  private boolean viewed; // by the handler of an earlier request
  private long number; // of the handler's views, each of which another caller may have kept
  public long receivedBytes; // of the request's content
  public long streamedBytes; // of the response's content that was sent piece by piece

  public ExchangeState(ExchangeContext context, HttpStream stream) {
    this.context = context;
    this.stream = stream;
    this.responseHead = new ResponseHead(stream);
    this.use = new ExchangeUse(context.reuse);
    stream.carry(use);
    this.limit = new BeginLimit(context.responseBeginNanos);
  }

  /** Returns the connection of the request, while the exchange lasts. */
  public Connection connection() {
    return Objects.requireNonNull(connection);
  }

  /** Returns the connection of the request; null if the exchange has ended. */
  public @Nullable Connection connectionIfAny() {
    return connection;
  }

  /** Returns the handler's view of the request, for error renderers and listeners. */
  public Request request() {
    return Objects.requireNonNull(request);
  }

  /** Sets the handler's first view. */
  public void viewBy(Request view) {
    request = view;
  }

  /** Replaces the handler's views, whose number is the next one: who has the old ones is late. */
  public void renewViews(Request view) {
    request = view;
    number++;
  }

  /** Returns true if the handler's views have served a request. */
  public boolean isViewed() {
    return viewed;
  }

  /**
   * Returns the number of the handler's present views; on any thread, see {@code ExchangeTurns}.
   */
  public long number() {
    return number;
  }

  public void begin(Connection on) {
    connection = on;
    viewed = true;
    receivedBytes = 0;
    streamedBytes = 0;
    progress.begin();
  }

  /** Returns true if the response may come after the return of the handler, or of a callback. */
  private boolean mayAnswerLater() {
    return use.isShared() || afterHandler.isAwaited();
  }

  /** Throws if the handler's last call on the loop has returned without a response; in a turn. */
  public void requireAnswer() {
    if (!progress.isOver() && !mayAnswerLater()) {
      throw new IllegalStateException(
          "the handler returned without a response: complete it, or call async()");
    }
  }

  /** The exchange has ended, and serves another request. */
  public void reset() {
    connection = null;
    limit.pause();
    head.reset();
    answer.reset();
    responseHead.reset();
  }
}
