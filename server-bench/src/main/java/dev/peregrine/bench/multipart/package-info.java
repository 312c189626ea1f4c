/** Multipart forms: the search for delimiters, and decoders of other servers for the same form. */
@NullMarked
package dev.peregrine.bench.multipart;

import org.jspecify.annotations.NullMarked;
