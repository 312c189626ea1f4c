/** Lines, and other pieces with an end of their own, out of content that arrives in any pieces. */
@NullMarked
package dev.peregrine.http.lines;

import org.jspecify.annotations.NullMarked;
