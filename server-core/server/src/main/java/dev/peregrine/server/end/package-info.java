/** The end of a server: the lame duck, the drain, the hook of the JVM. */
@NullMarked
package dev.peregrine.server.end;

import org.jspecify.annotations.NullMarked;
