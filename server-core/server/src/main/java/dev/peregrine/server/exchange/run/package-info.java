/** Where the handler of an exchange runs, and which threads may use the exchange. */
@NullMarked
package dev.peregrine.server.exchange.run;

import org.jspecify.annotations.NullMarked;
