/** What benchmarks need of this package beyond what is public. */
@NullMarked
package dev.peregrine.parser;

import org.jspecify.annotations.NullMarked;
