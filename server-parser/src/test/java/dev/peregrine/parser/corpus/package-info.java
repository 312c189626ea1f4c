/** Raw requests named by the section of the RFC that judges them. */
@NullMarked
package dev.peregrine.parser.corpus;

import org.jspecify.annotations.NullMarked;
