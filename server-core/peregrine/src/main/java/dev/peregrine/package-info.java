/** The whole of Peregrine, in one place. */
@NullMarked
package dev.peregrine;

import org.jspecify.annotations.NullMarked;
