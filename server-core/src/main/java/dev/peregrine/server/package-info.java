/** Builds and starts a server. */
@NullMarked
package dev.peregrine.server;

import org.jspecify.annotations.NullMarked;
