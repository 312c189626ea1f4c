/** What is asked of the servers, and the generators that ask it. */
@NullMarked
package dev.peregrine.bench.compare.load;

import org.jspecify.annotations.NullMarked;
