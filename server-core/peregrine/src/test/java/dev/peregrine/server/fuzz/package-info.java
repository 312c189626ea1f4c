/** Properties that hold for arbitrary bytes. */
@NullMarked
package dev.peregrine.server.fuzz;

import org.jspecify.annotations.NullMarked;
