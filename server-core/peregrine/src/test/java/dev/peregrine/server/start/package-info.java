/** Tests of the parts of a start. */
@NullMarked
package dev.peregrine.server.start;

import org.jspecify.annotations.NullMarked;
