/** The seam for layers between sockets and protocols, such as TLS. */
@NullMarked
package dev.peregrine.server.layer;

import org.jspecify.annotations.NullMarked;
