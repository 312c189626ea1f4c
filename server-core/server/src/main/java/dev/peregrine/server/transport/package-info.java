/** The seam between event loops and the operating system. No loops, no HTTP. */
@NullMarked
package dev.peregrine.server.transport;

import org.jspecify.annotations.NullMarked;
