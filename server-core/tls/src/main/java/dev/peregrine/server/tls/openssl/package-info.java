/** TLS by OpenSSL. */
@NullMarked
package dev.peregrine.server.tls.openssl;

import org.jspecify.annotations.NullMarked;
