/**
 * System calls of Linux through {@code java.lang.foreign}, and the files and sockets that are used
 * by them.
 */
@NullMarked
package dev.peregrine.linux;

import org.jspecify.annotations.NullMarked;
