/** Example servers. */
@NullMarked
package dev.peregrine.examples;

import org.jspecify.annotations.NullMarked;
