/** What listeners learn of connections and their loops. */
@NullMarked
package dev.peregrine.server.connection.facts;

import org.jspecify.annotations.NullMarked;
