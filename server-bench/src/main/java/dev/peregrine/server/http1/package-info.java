/** What benchmarks need of this package beyond what is public. */
@NullMarked
package dev.peregrine.server.http1;

import org.jspecify.annotations.NullMarked;
