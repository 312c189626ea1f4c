/** Tests of frames and settings. */
@NullMarked
package dev.peregrine.server.http2.frame;

import org.jspecify.annotations.NullMarked;
