/** The watch over event loops: their long turns, and the relief of their threads. */
@NullMarked
package dev.peregrine.server.loop.watch;

import org.jspecify.annotations.NullMarked;
