/** Certificates and keys out of files. */
@NullMarked
package dev.peregrine.server.tls.pem;

import org.jspecify.annotations.NullMarked;
