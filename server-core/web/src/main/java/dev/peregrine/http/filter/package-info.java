/** Handlers around handlers, for what most applications need; each is also an example of one. */
@NullMarked
package dev.peregrine.http.filter;

import org.jspecify.annotations.NullMarked;
