/** Black-box tests of HTTP/2. */
@NullMarked
package dev.peregrine.server.http2;

import org.jspecify.annotations.NullMarked;
