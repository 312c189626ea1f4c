/** WebSocket endpoints: the handler that opens sockets, topics, and the blocking form. */
@NullMarked
package dev.peregrine.http.websocket;

import org.jspecify.annotations.NullMarked;
