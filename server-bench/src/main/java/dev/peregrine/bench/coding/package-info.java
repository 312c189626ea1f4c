/** Content codings: time and size of compressed responses. */
@NullMarked
package dev.peregrine.bench.coding;

import org.jspecify.annotations.NullMarked;
