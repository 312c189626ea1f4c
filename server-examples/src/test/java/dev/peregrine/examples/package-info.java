/** Starts every example and asks it. */
@NullMarked
package dev.peregrine.examples;

import org.jspecify.annotations.NullMarked;
