/** Tests of the options of TLS. */
@NullMarked
package dev.peregrine.server.tls.config;

import org.jspecify.annotations.NullMarked;
