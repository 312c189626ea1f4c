/** TLS by the system's OpenSSL 3 through {@code java.lang.foreign}. */
@NullMarked
package dev.peregrine.openssl;

import org.jspecify.annotations.NullMarked;
