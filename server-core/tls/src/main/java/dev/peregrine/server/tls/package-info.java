/** TLS for the endpoints of a server, by the system's OpenSSL or the JDK. */
@NullMarked
package dev.peregrine.server.tls;

import org.jspecify.annotations.NullMarked;
