/** Listeners for the connections and exchanges of a server, and the facts that they are given. */
@NullMarked
package dev.peregrine.server.observe;

import org.jspecify.annotations.NullMarked;
