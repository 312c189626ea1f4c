/** Heads of responses as field blocks. No streams. */
@NullMarked
package dev.peregrine.server.http2.head;

import org.jspecify.annotations.NullMarked;
