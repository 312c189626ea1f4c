/** Tests of windows and urgencies. */
@NullMarked
package dev.peregrine.server.http2.flow;

import org.jspecify.annotations.NullMarked;
