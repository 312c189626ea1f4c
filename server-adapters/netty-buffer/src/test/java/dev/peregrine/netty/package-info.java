/** The adapter to Netty's buffers, over real sockets. */
@NullMarked
package dev.peregrine.netty;

import org.jspecify.annotations.NullMarked;
