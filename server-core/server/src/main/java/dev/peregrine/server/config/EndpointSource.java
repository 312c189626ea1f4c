package dev.peregrine.server.config;

/**
 * Where an endpoint has its listening sockets from, if the server doesn't bind them; see {@code
 * Endpoint.of}. Only Peregrine implements it. Immutable.
 */
public interface EndpointSource {}
