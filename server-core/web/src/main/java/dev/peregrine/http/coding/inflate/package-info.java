/** Content of the formats gzip and deflate to plain bytes, piece by piece and within a limit. */
@NullMarked
package dev.peregrine.http.coding.inflate;

import org.jspecify.annotations.NullMarked;
