/** Direct memory: the arena of an event loop, and the queue of bytes on their way out. */
@NullMarked
package dev.peregrine.server.memory;

import org.jspecify.annotations.NullMarked;
