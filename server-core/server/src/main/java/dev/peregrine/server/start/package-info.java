/** The parts of a start that no request needs. */
@NullMarked
package dev.peregrine.server.start;

import org.jspecify.annotations.NullMarked;
