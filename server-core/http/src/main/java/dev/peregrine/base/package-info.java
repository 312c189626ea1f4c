/** Small parts that every package of the server may use, and that need the JDK alone. */
@NullMarked
package dev.peregrine.base;

import org.jspecify.annotations.NullMarked;
