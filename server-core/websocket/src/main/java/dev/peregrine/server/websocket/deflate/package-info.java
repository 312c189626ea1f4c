/** Compression of WebSocket messages: permessage-deflate (RFC 7692). */
@NullMarked
package dev.peregrine.server.websocket.deflate;

import org.jspecify.annotations.NullMarked;
