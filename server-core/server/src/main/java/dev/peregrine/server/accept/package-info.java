/** Accepting: from a listening socket to a connection on one of the loops. */
@NullMarked
package dev.peregrine.server.accept;

import org.jspecify.annotations.NullMarked;
