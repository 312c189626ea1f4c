/** Request parsers of other JVM servers, each called as cheaply as its code allows. */
@NullMarked
package dev.peregrine.bench.peer;

import org.jspecify.annotations.NullMarked;
