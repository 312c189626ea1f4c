/** The workloads of the servers, and the generators that send them. */
@NullMarked
package dev.peregrine.bench.compare.load;

import org.jspecify.annotations.NullMarked;
