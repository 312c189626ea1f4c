/** Request to response through the server's own classes, with a script in place of sockets. */
@NullMarked
package dev.peregrine.bench.codec;

import org.jspecify.annotations.NullMarked;
