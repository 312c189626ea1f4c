/** TLS by the JDK's {@link javax.net.ssl.SSLEngine}. */
@NullMarked
package dev.peregrine.server.tls.jdk;

import org.jspecify.annotations.NullMarked;
