/** Tests of the data of exchanges. */
@NullMarked
package dev.peregrine.server.exchange.state;

import org.jspecify.annotations.NullMarked;
