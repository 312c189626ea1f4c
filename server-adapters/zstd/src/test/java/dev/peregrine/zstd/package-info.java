/** Tests of the coding zstd. */
@NullMarked
package dev.peregrine.zstd;

import org.jspecify.annotations.NullMarked;
