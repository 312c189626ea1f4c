/** The application's buffers: how long their memory lasts, and when they are given back. */
@NullMarked
package dev.peregrine.server.memory.lease;

import org.jspecify.annotations.NullMarked;
