/** The search for the delimiters of multipart content (RFC 2046 section 5.1). */
@NullMarked
package dev.peregrine.parser.multipart;

import org.jspecify.annotations.NullMarked;
