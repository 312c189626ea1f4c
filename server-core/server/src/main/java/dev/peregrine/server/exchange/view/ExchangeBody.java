package dev.peregrine.server.exchange.view;

import dev.peregrine.base.Range;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.arriving.Keeper;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.CollectedContent;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.BufferPool;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The handler's view of a request's content. The loop's side of it is {@link RequestContent}. */
public final class ExchangeBody implements RequestBody, Keeper {
  private final ExchangeState exchange;
  private final ExchangeTurns turns;
  private final RequestContent content;

  ExchangeBody(ExchangeState exchange, ExchangeTurns turns, RequestContent content) {
    this.exchange = exchange;
    this.turns = turns;
    this.content = content;
  }

  @Override
  public RetainedBytes keep(MemorySegment memory, long from, int length) {
    return exchange.context.retainer().keep(memory, from, length);
  }

  @Override
  public long length() {
    turns.checkUsable();
    return content.length();
  }

  @Override
  public RequestBody maxBytes(long bytes) {
    checkNotAsked();
    Range.checkAtLeast("maxBytes", bytes, 0);
    content.bytesMax(bytes);
    return this;
  }

  @Override
  public RequestBody openEnded() {
    checkNotAsked();
    content.openEnded();
    return this;
  }

  private void checkNotAsked() {
    turns.checkUsable();
    if (content.isAsked()) {
      throw new IllegalStateException("the body was read before");
    }
  }

  @Override
  public InputStream inputStream() {
    turns.checkUsable();
    EventLoop loop = exchange.context.loop;
    if (loop.isCurrent()) {
      throw new IllegalStateException("an event loop must not block: use Handlers.blocking");
    }
    checkNotAsked();
    ContentInputStream created = new ContentInputStream(this, content.length(), loop.bufferPool());
    content.readBy(created);
    exchange.use.markHeld();
    receive(created);
    return created;
  }

  @Override
  public void receive(BodyListener target) {
    Objects.requireNonNull(target, "listener");
    checkNotAsked();
    checkLength();
    content.ask();
    int entered = turns.enter();
    if (entered == LoopOwner.OUTSIDE) {
      turns.execute(() -> listen(target));
      return;
    }
    try {
      listen(target);
    } finally {
      turns.exit(entered);
    }
  }

  @Override
  public void receiveAll(int bytesMax, Consumer<byte[]> whenRead) {
    BufferPool pool = exchange.context.loop.bufferPool();
    receive(new CollectedContent(pool, length(), bytesMax, whenRead));
  }

  private void checkLength() {
    long length = content.length();
    long most = content.bytesMax();
    if (length > most) {
      Connection connection = exchange.connection();
      turns.inTurn(() -> content.logTooLarge(connection, most));
      throw new HttpException(413, "content of " + length + " bytes is more than " + most);
    }
  }

  private void listen(BodyListener target) {
    if (content.listen(target)) {
      turns.execute(() -> content.endEmpty(target));
    }
  }

  @Override
  public void pause() {
    turns.checkUsable();
    content.pause();
  }

  @Override
  public void resume() {
    if (!exchange.progress.isEnded() && turns.claim() && content.resume()) {
      turns.inTurn(content::onResumed);
    }
  }

  /** Runs a step of a stream in a turn, unless the exchange has ended. */
  void inTurn(Runnable step) {
    if (!exchange.progress.isEnded()) {
      turns.inTurn(step);
    }
  }

  @Override
  public @Nullable String trailer(String name) {
    Objects.requireNonNull(name, "name");
    turns.checkUsable();
    return content.trailer(name.toLowerCase(Locale.ROOT));
  }
}
