/**
 * The vocabulary of HTTP (RFC 9110): methods, versions, field names, syntax, and reasons for
 * rejection.
 */
@NullMarked
package dev.peregrine.protocol;

import org.jspecify.annotations.NullMarked;
