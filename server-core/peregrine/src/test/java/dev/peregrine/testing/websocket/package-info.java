/** A WebSocket client for tests, frame by frame. */
@NullMarked
package dev.peregrine.testing.websocket;

import org.jspecify.annotations.NullMarked;
