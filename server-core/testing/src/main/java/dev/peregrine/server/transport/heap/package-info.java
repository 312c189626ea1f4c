/** Sockets without a network, whose bytes are in the heap, for tests of handlers. */
@NullMarked
package dev.peregrine.server.transport.heap;

import org.jspecify.annotations.NullMarked;
