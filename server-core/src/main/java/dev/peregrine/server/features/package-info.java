/** The optional parts of a server, put together. */
@NullMarked
package dev.peregrine.server.features;

import org.jspecify.annotations.NullMarked;
