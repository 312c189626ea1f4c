/** WebSockets (RFC 6455, RFC 8441): the handshake, frames and messages above a tunnel. */
@NullMarked
package dev.peregrine.server.websocket;

import org.jspecify.annotations.NullMarked;
