/** Sections of field lines: found and checked in any pieces, indexed, their names recognised. */
@NullMarked
package dev.peregrine.parser.field;

import org.jspecify.annotations.NullMarked;
