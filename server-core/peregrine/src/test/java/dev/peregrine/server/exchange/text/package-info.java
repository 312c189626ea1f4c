/** Tests of the text of heads. */
@NullMarked
package dev.peregrine.server.exchange.text;

import org.jspecify.annotations.NullMarked;
