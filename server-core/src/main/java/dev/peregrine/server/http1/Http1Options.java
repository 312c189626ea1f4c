package dev.peregrine.server.http1;

import dev.peregrine.http.JsonCodec;
import org.jspecify.annotations.Nullable;

/**
 * What the protocol needs to know of the server's options.
 *
 * @param serverName value of the Server field; empty for none
 * @param bodyBytesMax largest request content
 * @param requestHeadNanos from a request's first byte to the end of its head
 * @param keepAliveNanos from a response to the next request's first byte
 * @param bodyBytesPerSecondMin what a client has to send at least; 0 for no limit
 * @param rateGraceNanos how long it may send less
 * @param pipelinedBytesMax bytes that are received behind a request that is not yet answered
 * @param drainBytesMax content that is read and discarded to keep a connection
 * @param requestsPerConnectionMax requests until a connection is closed; 0 for no limit
 * @param json writes and reads JSON; null if nothing does
 */
public record Http1Options(
    String serverName,
    long bodyBytesMax,
    long requestHeadNanos,
    long keepAliveNanos,
    long bodyBytesPerSecondMin,
    long rateGraceNanos,
    int pipelinedBytesMax,
    int drainBytesMax,
    int requestsPerConnectionMax,
    @Nullable JsonCodec json) {}
