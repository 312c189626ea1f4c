/** The facts of connections that are secured by TLS, for applications. */
@NullMarked
package dev.peregrine.tls;

import org.jspecify.annotations.NullMarked;
