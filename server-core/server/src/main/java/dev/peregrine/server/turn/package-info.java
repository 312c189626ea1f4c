/** Turns that a socket doesn't start: work of other threads, and of threads that a loop carries. */
@NullMarked
package dev.peregrine.server.turn;

import org.jspecify.annotations.NullMarked;
