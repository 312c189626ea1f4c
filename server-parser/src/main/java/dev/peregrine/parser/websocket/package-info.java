/** The frames of WebSocket (RFC 6455 section 5) and the UTF-8 of its text, as bytes in memory. */
@NullMarked
package dev.peregrine.parser.websocket;

import org.jspecify.annotations.NullMarked;
