package dev.peregrine.server;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.config.ServerLimits;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How a server is set up; made by {@link HttpServer.Builder}.
 *
 * @param name what the names of its threads begin with
 * @param address where it listens; port 0 takes a free one
 * @param loops number of event loops, at least 1
 * @param backlog connections that the system holds before they are accepted, at least 1
 * @param reusePort every loop listens for itself and the system spreads the connections
 *     (SO_REUSEPORT); otherwise one loop accepts for all
 * @param transport how socket I/O is done
 * @param scanner how request heads are scanned; null for the fastest that works here
 * @param leniencies violations that are accepted
 * @param serverName value of the Server field; empty for none
 * @param limits what clients can make grow or last
 * @param json writes and reads JSON; null if nothing does
 * @param onFatal takes the failure that an event loop can't go on after; null for the default
 * @param errors writes the content of error responses
 */
record ServerOptions(
    String name,
    InetSocketAddress address,
    int loops,
    int backlog,
    boolean reusePort,
    TransportKind transport,
    @Nullable ScannerKind scanner,
    Set<Leniency> leniencies,
    String serverName,
    ServerLimits limits,
    @Nullable JsonCodec json,
    @Nullable BiConsumer<? super HttpServer, ? super Throwable> onFatal,
    ErrorRenderer errors) {

  /** Returns host and port as they were asked for, for messages. */
  String place() {
    return "host " + address.getHostString() + ", port " + address.getPort();
  }

  /** A parser for these options, with the scanner asked for. */
  RequestParser parser(ScannerKind kind) {
    return new RequestParser(limits.parser(), kind, leniencies);
  }
}
