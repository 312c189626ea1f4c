package dev.peregrine.server.config;

/**
 * Something between the sockets of an endpoint and HTTP, such as TLS; see {@code Endpoint.with}.
 * Only Peregrine implements it. Thread-safe.
 */
public interface EndpointLayer {}
