/** A server, requests and responses in memory, to test a handler in one line. */
@NullMarked
package dev.peregrine.server.testing;

import org.jspecify.annotations.NullMarked;
