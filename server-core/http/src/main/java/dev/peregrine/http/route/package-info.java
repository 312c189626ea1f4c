/** Finds handlers by method and path. */
@NullMarked
package dev.peregrine.http.route;

import org.jspecify.annotations.NullMarked;
