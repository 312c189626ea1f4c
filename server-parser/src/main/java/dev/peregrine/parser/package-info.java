/** Parses HTTP/1.1 request heads. */
@NullMarked
package dev.peregrine.parser;

import org.jspecify.annotations.NullMarked;
