/** The limits of a server, and the types of its parts. */
@NullMarked
package dev.peregrine.server.config;

import org.jspecify.annotations.NullMarked;
