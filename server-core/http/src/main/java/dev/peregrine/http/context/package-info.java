/** Contexts around the calls of handlers and callbacks, and the attributes of spans. */
@NullMarked
package dev.peregrine.http.context;

import org.jspecify.annotations.NullMarked;
