/**
 * The data of exchanges, and what all exchanges of one event loop share: states, heads, the stream
 * of a protocol. No part of it acts on another.
 */
@NullMarked
package dev.peregrine.server.exchange.state;

import org.jspecify.annotations.NullMarked;
