/**
 * What a handler holds: the request, the response, their streams and tunnels. On any thread that
 * may use the exchange.
 */
@NullMarked
package dev.peregrine.server.exchange.view;

import org.jspecify.annotations.NullMarked;
