/** The ClientHello, read before an engine is chosen. */
@NullMarked
package dev.peregrine.server.tls.hello;

import org.jspecify.annotations.NullMarked;
