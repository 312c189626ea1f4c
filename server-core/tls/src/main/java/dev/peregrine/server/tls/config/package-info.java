/** The options of TLS, from files and programs to the settings of the layer. */
@NullMarked
package dev.peregrine.server.tls.config;

import org.jspecify.annotations.NullMarked;
