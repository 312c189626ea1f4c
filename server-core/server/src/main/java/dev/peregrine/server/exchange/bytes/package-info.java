/** Content as bytes: received, waiting, given by the application. No exchanges. */
@NullMarked
package dev.peregrine.server.exchange.bytes;

import org.jspecify.annotations.NullMarked;
