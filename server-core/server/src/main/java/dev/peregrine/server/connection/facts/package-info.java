/** The facts of connections and loops that listeners are given. */
@NullMarked
package dev.peregrine.server.connection.facts;

import org.jspecify.annotations.NullMarked;
