/** Tests of the transport on {@code java.nio}. */
@NullMarked
package dev.peregrine.server.transport.nio;

import org.jspecify.annotations.NullMarked;
