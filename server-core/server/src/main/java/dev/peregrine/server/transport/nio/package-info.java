/** The transport on java.nio, which works everywhere. */
@NullMarked
package dev.peregrine.server.transport.nio;

import org.jspecify.annotations.NullMarked;
