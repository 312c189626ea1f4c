/** Sockets for clients in handlers, such as database drivers, that wait in the event loops. */
@NullMarked
package dev.peregrine.server.sockets;

import org.jspecify.annotations.NullMarked;
