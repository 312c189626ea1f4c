/** Parsing of request heads, and what it is compared with. */
@NullMarked
package dev.peregrine.bench.parse;

import org.jspecify.annotations.NullMarked;
