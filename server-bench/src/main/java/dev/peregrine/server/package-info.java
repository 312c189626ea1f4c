/** What benchmarks need of this package beyond what is public. */
@NullMarked
package dev.peregrine.server;

import org.jspecify.annotations.NullMarked;
