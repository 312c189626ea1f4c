package dev.peregrine.server.config;

/**
 * A part of a server that has an artifact of its own, such as {@code Http2.create()}; see {@code
 * HttpServerBuilder.with}. Only Peregrine implements it. Immutable.
 */
public interface ServerPart {}
