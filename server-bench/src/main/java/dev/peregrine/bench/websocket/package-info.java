/** Payloads of WebSocket: unmasking, and the check of UTF-8. */
@NullMarked
package dev.peregrine.bench.websocket;

import org.jspecify.annotations.NullMarked;
