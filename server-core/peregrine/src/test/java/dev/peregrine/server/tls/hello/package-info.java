/** Tests of the ClientHello. */
@NullMarked
package dev.peregrine.server.tls.hello;

import org.jspecify.annotations.NullMarked;
