/** Tests of the event loop and of the seam to the operating system, on every transport. */
@NullMarked
package dev.peregrine.server.loop;

import org.jspecify.annotations.NullMarked;
