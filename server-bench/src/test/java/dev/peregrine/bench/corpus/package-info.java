/** Tests of the corpora. */
@NullMarked
package dev.peregrine.bench.corpus;

import org.jspecify.annotations.NullMarked;
