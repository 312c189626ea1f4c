/** Tests of the servers whose handlers block. */
@NullMarked
package dev.peregrine.bench.blocking;

import org.jspecify.annotations.NullMarked;
