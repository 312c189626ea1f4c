/** What bytes mean: one table per ABNF rule, and how they are loaded from memory. */
@NullMarked
package dev.peregrine.parser.grammar;

import org.jspecify.annotations.NullMarked;
