/** The program that {@code java -jar peregrine.jar} starts. */
@NullMarked
package dev.peregrine.cli;

import org.jspecify.annotations.NullMarked;
