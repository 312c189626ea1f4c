/** One socket and its life: reading, flushing, deadlines, the orderly close. No HTTP. */
@NullMarked
package dev.peregrine.server.connection;

import org.jspecify.annotations.NullMarked;
