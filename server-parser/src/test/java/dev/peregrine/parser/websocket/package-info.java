/** Tests of the frames of WebSocket, against plain references. */
@NullMarked
package dev.peregrine.parser.websocket;

import org.jspecify.annotations.NullMarked;
