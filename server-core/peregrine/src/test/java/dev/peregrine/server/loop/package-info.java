/** Tests of the event loop. */
@NullMarked
package dev.peregrine.server.loop;

import org.jspecify.annotations.NullMarked;
