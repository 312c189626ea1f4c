/** The metrics of a server for Micrometer. */
@NullMarked
package dev.peregrine.micrometer;

import org.jspecify.annotations.NullMarked;
