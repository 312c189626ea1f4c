/** Direct memory: the buffer pool of an event loop, and the queue of outbound bytes. */
@NullMarked
package dev.peregrine.server.memory;

import org.jspecify.annotations.NullMarked;
