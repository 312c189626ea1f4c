/** Requests, responses and the other types that handlers use. */
@NullMarked
package dev.peregrine.http;

import org.jspecify.annotations.NullMarked;
