package dev.peregrine.server.http2.stream;

import dev.peregrine.base.Incident;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.text.CurrentDate;
import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.SendTools;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.DataFrames;
import dev.peregrine.server.http2.frame.LocalSettings;
import dev.peregrine.server.http2.head.HeadEncoder;
import dev.peregrine.server.http2.head.RequestHeads;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.pace.DataRate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The parts that the HTTP/2 connections of an event loop share. They know no connection. */
public final class LoopParts {
  final ExchangeContext context;
  private final TimeSlice slice;
  final LocalSettings settings;
  final HeadEncoder encoder;
  final Control control = new Control();
  final SendTools sending;
  private final RequestHeads heads;
  final FloodBudget flood;
  private final long headNanos;
  final long lingerNanos; // for the client's end of a tunnel
  private long keepAliveNanos; // shorter while draining
  private @Nullable Exchange called; // the last one whose handler or callback was called

  /**
   * Creates the parts.
   *
   * @param acceptsHttps whether requests may be https on connections that are not secured
   */
  public LoopParts(
      ExchangeContext context, Http2HeadReader reader, String serverName, boolean acceptsHttps) {
    ServerLimits limits = context.limits();
    this.context = context;
    this.slice = context.loop().slice();
    this.settings = LocalSettings.of(limits);
    this.encoder = new HeadEncoder(new CurrentDate(context.loop()), serverName);
    this.heads = new RequestHeads(settings, reader, acceptsHttps);
    this.flood =
        new FloodBudget(
            FloodBudget.CONNECTIONS_OF_LOOP * (long) limits.http2().floodPointsMax(),
            context.loop().nanos());
    this.headNanos = limits.requestHeadTime().toNanos();
    this.lingerNanos = limits.lingerTime().toNanos();
    this.keepAliveNanos = limits.keepAliveTime().toNanos();
    DataRate takingRate = DataRate.ofTaking(limits);
    this.sending =
        new SendTools(
            new DataFrames(),
            encoder,
            context.loop().bufferPool(),
            takingRate,
            limits.outboundHighWater());
  }

  public ExchangeContext context() {
    return context;
  }

  /** Returns the time that a turn may take. */
  public TimeSlice slice() {
    return slice;
  }

  public LocalSettings settings() {
    return settings;
  }

  public HeadEncoder encoder() {
    return encoder;
  }

  public Control control() {
    return control;
  }

  public RequestHeads heads() {
    return heads;
  }

  public BufferPool pool() {
    return sending.pool();
  }

  /** Returns how long a client may take for a head, or for its first one. */
  public long headNanos() {
    return headNanos;
  }

  /** Returns how long a connection may be without streams. */
  public long keepAliveNanos() {
    return keepAliveNanos;
  }

  /** Shortens that time, because the server drains. */
  public void limitKeepAlive(long nanosMax) {
    keepAliveNanos = Math.min(keepAliveNanos, nanosMax);
  }

  /** Reports that content of a response could not be read. */
  public void reportBrokenOff(IOException failure) {
    context.loop().report(Incident.RESPONSE_BROKEN_OFF, failure);
  }

  /** Reports that a stream could not be told that its connection has ended. */
  public void reportUntold(Throwable failure) {
    context.loop().report(Incident.CLOSE_NOTICE_FAILED, failure);
  }

  /** Notes that the handler or a callback of an exchange is about to be called. */
  public void note(Exchange exchange) {
    called = exchange;
  }

  /** Returns the exchange that was noted last, while its connection is open. */
  public @Nullable Exchange called() {
    return called;
  }

  /** Forgets that exchange, which keeps its connection reachable. */
  public void forgetCalled() {
    called = null;
  }
}
