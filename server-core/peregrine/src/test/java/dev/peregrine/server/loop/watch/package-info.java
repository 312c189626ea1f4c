/** Tests of the watch over event loops. */
@NullMarked
package dev.peregrine.server.loop.watch;

import org.jspecify.annotations.NullMarked;
