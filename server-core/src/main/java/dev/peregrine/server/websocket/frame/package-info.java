/** Frames and messages as bytes, without a session. */
@NullMarked
package dev.peregrine.server.websocket.frame;

import org.jspecify.annotations.NullMarked;
