/** The vocabulary of HTTP (RFC 9110): methods, versions, field names, what is rejected and why. */
@NullMarked
package dev.peregrine.protocol;

import org.jspecify.annotations.NullMarked;
