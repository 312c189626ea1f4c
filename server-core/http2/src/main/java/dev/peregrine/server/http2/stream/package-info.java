/**
 * A stream of HTTP/2 and what all streams of a connection share: carries an exchange or a tunnel.
 * No connection.
 */
@NullMarked
package dev.peregrine.server.http2.stream;

import org.jspecify.annotations.NullMarked;
