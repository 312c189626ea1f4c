/** Starts every example and sends requests to it. */
@NullMarked
package dev.peregrine.examples;

import org.jspecify.annotations.NullMarked;
