package dev.peregrine.server.connection;

/**
 * The limits of a connection that know nothing of HTTP.
 *
 * @param highWaterBytes unsent bytes from which on nothing more is read or begun
 * @param lowWaterBytes unsent bytes below which it goes on
 * @param responseBytesPerSecondMin what a client has to take at least; 0 for no limit
 * @param rateGraceNanos how long it may take less
 * @param lingerNanos how long the client may take to end a connection that the server has ended
 * @param lingerBytesMax how much it may still send meanwhile
 */
public record ConnectionLimits(
    int highWaterBytes,
    int lowWaterBytes,
    long responseBytesPerSecondMin,
    long rateGraceNanos,
    long lingerNanos,
    int lingerBytesMax) {}
