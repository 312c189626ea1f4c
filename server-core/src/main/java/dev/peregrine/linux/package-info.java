/** System calls of Linux through {@code java.lang.foreign}, and files opened and read by them. */
@NullMarked
package dev.peregrine.linux;

import org.jspecify.annotations.NullMarked;
