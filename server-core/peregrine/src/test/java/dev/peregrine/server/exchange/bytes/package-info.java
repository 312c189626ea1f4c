/** Tests of content as bytes. */
@NullMarked
package dev.peregrine.server.exchange.bytes;

import org.jspecify.annotations.NullMarked;
