/** Frames and messages as bytes: what a client sends taken apart, without a session. */
@NullMarked
package dev.peregrine.server.websocket.frame;

import org.jspecify.annotations.NullMarked;
