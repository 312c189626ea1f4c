/** Tests of the seam to the operating system, on every transport. */
@NullMarked
package dev.peregrine.server.transport;

import org.jspecify.annotations.NullMarked;
