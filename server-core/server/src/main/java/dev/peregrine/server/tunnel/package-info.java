/** Bytes in both directions after HTTP, above a connection or a stream. */
@NullMarked
package dev.peregrine.server.tunnel;

import org.jspecify.annotations.NullMarked;
