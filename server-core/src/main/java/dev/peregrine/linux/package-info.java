/** System calls of Linux through {@code java.lang.foreign}: nothing of sockets, files or HTTP. */
@NullMarked
package dev.peregrine.linux;

import org.jspecify.annotations.NullMarked;
