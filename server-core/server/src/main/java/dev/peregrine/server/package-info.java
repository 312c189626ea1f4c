/** The server: its builder, its options, its life cycle. */
@NullMarked
package dev.peregrine.server;

import org.jspecify.annotations.NullMarked;
