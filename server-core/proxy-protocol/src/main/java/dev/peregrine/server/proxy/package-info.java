/** The PROXY protocol as a layer of an endpoint: the header, and the socket that reads it. */
@NullMarked
package dev.peregrine.server.proxy;

import org.jspecify.annotations.NullMarked;
