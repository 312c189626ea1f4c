/** A service that is asked for more than it can do, with and without a limit that adapts. */
@NullMarked
package dev.peregrine.bench.overload;

import org.jspecify.annotations.NullMarked;
