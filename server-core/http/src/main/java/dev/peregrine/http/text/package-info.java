/** The text of fields and contents, without the types that handlers see. */
@NullMarked
package dev.peregrine.http.text;

import org.jspecify.annotations.NullMarked;
