/**
 * A plain client of HTTP/2 for tests: frames, header blocks and windows, independent of the
 * server's code.
 */
@NullMarked
package dev.peregrine.testing.http2;

import org.jspecify.annotations.NullMarked;
