/**
 * The loop's side of an exchange: the content of the request, the response, and the end of both.
 */
@NullMarked
package dev.peregrine.server.exchange.message;

import org.jspecify.annotations.NullMarked;
