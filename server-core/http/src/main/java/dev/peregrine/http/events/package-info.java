/** Server-sent events. */
@NullMarked
package dev.peregrine.http.events;

import org.jspecify.annotations.NullMarked;
