/** Responses compressed with zstd. */
@NullMarked
package dev.peregrine.zstd;

import org.jspecify.annotations.NullMarked;
