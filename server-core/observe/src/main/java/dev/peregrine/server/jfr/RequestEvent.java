package dev.peregrine.server.jfr;

import dev.peregrine.http.Outcome;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RunMode;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response. Its duration begins before the handler is called. Has neither path
 * nor query, because they may contain secrets.
 */
@Name("dev.peregrine.Request")
@Label("Request")
@Category("Peregrine")
@StackTrace(false)
@Threshold("10 ms")
final class RequestEvent extends Event {
  @Label("Method")
  @Nullable String method;

  @Label("Route Template")
  @Description("Null without routes, or if none has matched")
  @Nullable String routeTemplate;

  @Label("Protocol")
  @Nullable String protocol;

  @Label("Status")
  @Description("0 if no response was sent")
  int status;

  @Label("RPC Status")
  @Description("The code of a call of gRPC; -1 for other requests")
  int rpcStatus;

  @Label("Request Content Bytes")
  @DataAmount
  long requestContentBytes;

  @Label("Response Content Bytes")
  @DataAmount
  long responseContentBytes;

  @Label("Queue Time")
  @Description("From the begin of the event loop's turn to the call of the handler")
  @Timespan(Timespan.NANOSECONDS)
  long queueTime;

  @Label("Time to First Byte")
  @Description("From the begin of the event loop's turn; 0 if no response was sent")
  @Timespan(Timespan.NANOSECONDS)
  long timeToFirstByte;

  @Label("Run Mode")
  @Nullable String runMode;

  @Label("Outcome")
  @Nullable String outcome;

  @Label("Close Reason")
  @Description("Why the connection was closed, if that ended the request")
  @Nullable String closeReason;

  void fill(ExchangeInfo exchange) {
    method = exchange.methodName();
    routeTemplate = exchange.routeTemplate();
    protocol = exchange.version().name();
    status = exchange.status();
    rpcStatus = RpcStatus.code(exchange.attribute(RpcStatus.CODE));
    requestContentBytes = exchange.requestContentBytes();
    responseContentBytes = exchange.responseContentBytes();
    if (exchange.runMode() == RunMode.BLOCKING) {
      queueTime = exchange.handlerNanos() - exchange.beginNanos();
    }
    timeToFirstByte = exchange.firstByteNanos() - exchange.beginNanos();
    runMode = exchange.runMode().name();
    Outcome ended = exchange.outcome();
    outcome = ended == null ? null : ended.name();
    CloseReason closed = exchange.closeReason();
    closeReason = closed == null ? null : closed.name();
  }
}
