/**
 * The bytes of frames and settings, and the faults of peers (RFC 9113 sections 4, 6 and 7). No
 * streams.
 */
@NullMarked
package dev.peregrine.server.http2.frame;

import org.jspecify.annotations.NullMarked;
