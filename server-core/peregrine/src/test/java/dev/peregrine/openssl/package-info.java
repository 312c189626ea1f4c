/** Tests of TLS by OpenSSL, against clients of the JDK in memory. */
@NullMarked
package dev.peregrine.openssl;

import org.jspecify.annotations.NullMarked;
