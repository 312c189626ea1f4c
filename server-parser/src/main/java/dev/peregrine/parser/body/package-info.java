/** Decodes HTTP/1.1 message bodies. */
@NullMarked
package dev.peregrine.parser.body;

import org.jspecify.annotations.NullMarked;
