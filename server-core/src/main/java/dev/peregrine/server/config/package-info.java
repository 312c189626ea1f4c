/** The limits of a server. */
@NullMarked
package dev.peregrine.server.config;

import org.jspecify.annotations.NullMarked;
